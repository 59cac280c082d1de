-- The tree of digests, derived: each node says in a few lines what stands below it.

-- `level` 1 stands over leaves; the trunk, above every other, has no parent. `first` and `last` are the ranks of the
-- outermost leaves below; `row` is the mean of their vectors, empty where there are none.
create table digest (
  space       bigint not null,
  number      bigint not null,
  parent      bigint not null,
  level       bigint not null,
  domain      text collate "C" not null,
  first       text collate "C" not null,
  last        text collate "C" not null,
  leaves      bigint not null,
  fingerprint bigint not null,
  made        text collate "C" not null,
  text        text collate "C" not null,
  row         bytea not null,
  primary key (space, number)
);

create index digest_by_parent on digest (space, parent);

-- Chunks and active memories in the tree. `owner` is the source or memory, `rank` the place among all of its domain.
create table digest_leaf (
  space       bigint not null,
  entry       bigint not null,
  digest      bigint not null,
  owner       text collate "C" not null,
  rank        text collate "C" not null,
  fingerprint bigint not null,
  primary key (space, entry)
);

create index digest_leaf_by_digest on digest_leaf (space, digest);
create index digest_leaf_by_owner on digest_leaf (space, owner);

-- Sources and memories that changed since they were digested.
create table digest_due (
  space bigint not null,
  owner text collate "C" not null,
  primary key (space, owner)
);

insert into digest_due select distinct space, source from chunk;
insert into digest_due select space, id from memory;

create function digest_due_of_chunks() returns trigger language plpgsql as $$
begin
  insert into digest_due select distinct t.space, t.source from touched t on conflict do nothing;
  return null;
end
$$;
create trigger digest_due_with_new_chunk after insert on chunk
  referencing new table as touched for each statement execute function digest_due_of_chunks();
create trigger digest_due_without_chunk after delete on chunk
  referencing old table as touched for each statement execute function digest_due_of_chunks();

create function digest_due_of_memories() returns trigger language plpgsql as $$
begin
  insert into digest_due select distinct t.space, t.id from touched t on conflict do nothing;
  return null;
end
$$;
create trigger digest_due_with_new_memory after insert on memory
  referencing new table as touched for each statement execute function digest_due_of_memories();
create trigger digest_due_without_memory after delete on memory
  referencing old table as touched for each statement execute function digest_due_of_memories();

create function digest_due_with_words() returns trigger language plpgsql as $$
begin
  insert into digest_due values (new.space, new.id) on conflict do nothing;
  return null;
end
$$;
create trigger digest_due_with_words after update on memory for each row
  when (old.content <> new.content or old.title <> new.title or old.summary <> new.summary or old.status <> new.status
    or old.slot <> new.slot or old.kind <> new.kind)
  execute function digest_due_with_words();

-- Canonical: files that left the index, and when.
create table departed (
  space bigint not null,
  key   text collate "C" not null,
  at    text collate "C" not null,
  primary key (space, key)
);


-- The planner's statistics keep samples of columns: none of text, which must not outlive its row there.
alter table digest alter column first set statistics 0, alter column last set statistics 0,
  alter column text set statistics 0, alter column row set statistics 0;
alter table digest_leaf alter column rank set statistics 0;
alter table departed alter column key set statistics 0;
