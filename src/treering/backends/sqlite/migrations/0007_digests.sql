-- The tree of digests, derived: each node says in a few lines what stands below it.

-- `level` 1 stands over leaves; the trunk, above every other, has no parent. `first` and `last` are the ranks of the
-- outermost leaves below; `row` is the mean of their vectors, empty where there are none.
create table digest (
  space       integer not null,
  number      integer not null,
  parent      integer not null,
  level       integer not null,
  domain      text    not null,
  first       text    not null,
  last        text    not null,
  leaves      integer not null,
  fingerprint integer not null,
  made        text    not null,
  text        text    not null,
  row         blob    not null,
  primary key (space, number)
) strict;

create index digest_by_parent on digest (space, parent);

-- Chunks and active memories in the tree. `owner` is the source or memory, `rank` the place among all of its domain.
create table digest_leaf (
  space       integer not null,
  entry       integer not null,
  digest      integer not null,
  owner       text    not null,
  rank        text    not null,
  fingerprint integer not null,
  primary key (space, entry)
) strict;

create index digest_leaf_by_digest on digest_leaf (space, digest);
create index digest_leaf_by_owner on digest_leaf (space, owner);

-- Sources and memories that changed since they were digested.
create table digest_due (
  space integer not null,
  owner text    not null,
  primary key (space, owner)
) strict, without rowid;

insert into digest_due select distinct space, source from chunk;
insert into digest_due select space, id from memory;

-- "or ignore" would not do: an upsert on the table would make it an error.
create trigger digest_due_with_new_chunk after insert on chunk begin
  insert into digest_due select new.space, new.source
  where not exists (select 1 from digest_due d where d.space = new.space and d.owner = new.source);
end;
create trigger digest_due_without_chunk after delete on chunk begin
  insert into digest_due select old.space, old.source
  where not exists (select 1 from digest_due d where d.space = old.space and d.owner = old.source);
end;
create trigger digest_due_with_new_memory after insert on memory begin
  insert into digest_due values (new.space, new.id) on conflict do nothing;
end;
create trigger digest_due_without_memory after delete on memory begin
  insert into digest_due select old.space, old.id
  where not exists (select 1 from digest_due d where d.space = old.space and d.owner = old.id);
end;
create trigger digest_due_with_words after update on memory
when old.content <> new.content or old.title <> new.title or old.summary <> new.summary or old.status <> new.status
  or old.slot <> new.slot or old.kind <> new.kind
begin
  insert into digest_due select new.space, new.id
  where not exists (select 1 from digest_due d where d.space = new.space and d.owner = new.id);
end;

-- Canonical: files that left the index, and when.
create table departed (
  space integer not null,
  key   text    not null,
  at    text    not null,
  primary key (space, key)
) strict, without rowid;

