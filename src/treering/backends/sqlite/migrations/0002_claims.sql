-- Memories that evolve: what was said (claims), what the owner decided, and the history that follows from both.

-- Canonical: who said what of which topic, since when it holds, and which memory says it now. One that was erased
-- stays as a tombstone: slot, dates and trust without any word. Times that were given stay as they were written.
create table claim (
  space       integer not null,
  id          text    not null,
  memory      text    not null,
  slot        text    not null,
  kind        text    not null,
  title       text    not null,
  content     text    not null,
  summary     text    not null,
  value       text    not null,
  trust       text    not null check (trust in ('owner', 'agent', 'external')),
  actor       text    not null check (actor in ('owner', 'agent')),
  author      text    not null,
  note        text    not null,
  valid_from  text    not null,
  valid_to    text    not null,
  recorded_at text    not null,
  erased_at   text    not null,
  primary key (space, id)
) strict;

create index claim_by_slot on claim (space, slot) where slot <> '';
create index claim_by_memory on claim (space, memory);
create index claim_by_note on claim (space, note) where note <> '';

-- Which claim was said to replace which.
create table replacement (
  space integer not null,
  claim text    not null,
  old   text    not null,
  primary key (space, claim, old),
  foreign key (space, claim) references claim (space, id) on delete cascade
) strict, without rowid;

create index replacement_by_old on replacement (space, old);

-- What a claim said before a revision of its memory replaced it; labels as JSON.
create table claim_revision (
  space      integer not null,
  claim      text    not null,
  revision   integer not null,
  kind       text    not null,
  title      text    not null,
  content    text    not null,
  summary    text    not null,
  value      text    not null,
  labels     text    not null,
  changed_at text    not null,
  primary key (space, claim, revision),
  foreign key (space, claim) references claim (space, id) on delete cascade
) strict;

-- What a claim rests on; `until` is the revision that gave the quote up, 0 while it holds.
create table proof (
  space   integer not null,
  claim   text    not null,
  place   integer not null,
  since   integer not null,
  until   integer not null,
  version text    not null,
  start   integer not null,
  stop    integer not null,
  quote   text    not null,
  primary key (space, claim, place),
  foreign key (space, claim) references claim (space, id) on delete cascade
) strict;

create index proof_by_version on proof (space, version);

-- What the owner, or an agent with its own claims, decided; `until` is in UTC. One that was taken back counts until then.
create table decision (
  space     integer not null,
  number    integer not null,
  claim     text    not null,
  kind      text    not null check (kind in ('confirm', 'approve', 'reject', 'archive', 'erase', 'restore')),
  at        text    not null,
  until     text    not null,
  actor     text    not null check (actor in ('owner', 'agent')),
  reason    text    not null,
  undone_at text    not null,
  primary key (space, number),
  foreign key (space, claim) references claim (space, id) on delete cascade
) strict, without rowid;

create index decision_by_claim on decision (space, claim);

-- What waits for the owner: a claim that its slot's history does not let through, or a whole operation as JSON.
create table proposal (
  space      integer not null,
  id         text    not null,
  state      text    not null check (state in ('waiting', 'approved', 'rejected', 'closed')),
  claim      text    not null,
  operation  text    not null,
  why        text    not null,
  author     text    not null,
  made_at    text    not null,
  decided_at text    not null,
  reason     text    not null,
  primary key (space, id)
) strict;

create index proposal_by_state on proposal (space, state, id);
create index proposal_by_claim on proposal (space, claim) where claim <> '';

create table entity (
  space      integer not null,
  id         text    not null,
  kind       text    not null,
  name       text    not null,
  created_at text    not null,
  primary key (space, id)
) strict;

-- A name as it is compared: its own first, then others. Two entities may share one.
create table alias (
  space  integer not null,
  key    text    not null,
  entity text    not null,
  name   text    not null,
  primary key (space, key, entity),
  foreign key (space, entity) references entity (space, id) on delete cascade
) strict, without rowid;

create index alias_by_entity on alias (space, entity);

create table mention (
  space  integer not null,
  claim  text    not null,
  entity text    not null,
  primary key (space, claim, entity),
  foreign key (space, claim) references claim (space, id) on delete cascade,
  foreign key (space, entity) references entity (space, id) on delete cascade
) strict, without rowid;

create index mention_by_entity on mention (space, entity);

create table link (
  space   integer not null,
  from_id text    not null,
  to_id   text    not null,
  type    text    not null,
  made_at text    not null,
  author  text    not null,
  primary key (space, from_id, to_id, type),
  foreign key (space, from_id) references claim (space, id) on delete cascade,
  foreign key (space, to_id) references claim (space, id) on delete cascade
) strict, without rowid;

create index link_by_to on link (space, to_id);

-- The audit log: who did what to which id, never a word of what it said. `inverse` is how it is taken back, as JSON.
create table act (
  space   integer not null,
  number  integer not null,
  at      text    not null,
  role    text    not null,
  author  text    not null,
  name    text    not null,
  target  text    not null,
  outcome text    not null,
  inverse text    not null,
  undone  integer not null,
  primary key (space, number)
) strict, without rowid;

create index act_by_target on act (space, target);

-- Why something was forgotten, in the owner's words.
alter table tombstone add column reason text not null default '';

-- Derived: what follows from the claims of a slot and the decisions on them. Microseconds since 1970 in UTC.
create table stretch (
  space     integer not null,
  slot      text    not null,
  start     integer not null,
  stop      integer not null,
  memory    text    not null,
  state     text    not null check (state in ('stated', 'archived', 'erased')),
  contested integer,
  primary key (space, slot, start),
  check (start < stop)
) strict, without rowid;

create trigger stretches_never_overlap before insert on stretch
when exists (
  select 1 from stretch s
  where s.space = new.space and s.slot = new.slot and s.start < new.stop and new.start < s.stop
)
begin
  select raise(abort, 'two stretches of one slot overlap');
end;

insert into claim
  select space, id, id, '', kind, title, content, summary, '', trust, 'owner', 'owner', source, '', '', recorded_at, ''
  from memory;

insert into claim_revision
  select r.space, r.memory, r.revision, m.kind, r.title, r.content, r.summary, '', '{}', r.changed_at
  from memory_revision r join memory m on m.space = r.space and m.id = r.memory;

insert into proof
  select e.space, e.memory, row_number() over (partition by e.space, e.memory order by e.revision, e.place) - 1,
    e.revision, case when e.revision = m.revision then 0 else e.revision + 1 end, e.version, e.start, e.stop, e.quote
  from evidence e join memory m on m.space = e.space and m.id = e.memory;

insert into decision
  select space, row_number() over (partition by space order by id), id, 'archive', changed_at, '', 'owner', '', ''
  from memory where status = 'archived';

insert into counter select space, 'decision', max(number) from decision group by space;

-- A memory as it stands: what its claims say, and what follows from them and the decisions. Derived but for the labels.
create table memory_as_it_stands (
  space         integer not null,
  id            text    not null,
  entry         integer not null,
  kind          text    not null,
  title         text    not null,
  content       text    not null,
  summary       text    not null,
  slot          text    not null,
  value         text    not null,
  source        text    not null,
  status        text    not null check (status in ('active', 'superseded', 'disputed', 'archived')),
  why           text    not null,
  verification  text    not null check (verification in ('user_confirmed', 'source_backed', 'inferred')),
  trust         text    not null check (trust in ('owner', 'agent', 'external')),
  revision      integer not null,
  fingerprint   integer not null,
  valid_from    text    not null,
  valid_to      text    not null,
  starts        integer not null,
  stops         integer not null,
  superseded_by text    not null,
  recorded_at   text    not null,
  changed_at    text    not null,
  primary key (space, id)
) strict;

insert into memory_as_it_stands
  select space, id, entry, kind, title, content, summary, '', '', source, status, '', verification, trust, revision,
    fingerprint, '', '', -4611686018427387904, 4611686018427387904, '', recorded_at, changed_at
  from memory;

create table label_of_memory (
  space  integer not null,
  memory text    not null,
  key    text    not null,
  place  integer not null,
  value  text    not null,
  primary key (space, memory, key, place),
  foreign key (space, memory) references memory_as_it_stands (space, id) on delete cascade
) strict, without rowid;

insert into label_of_memory select space, memory, key, place, value from memory_label;

drop table memory_revision;
drop table evidence;
drop table memory_label;
drop trigger vector_leaves_with_memory;
drop table memory;

alter table memory_as_it_stands rename to memory;
alter table label_of_memory rename to memory_label;
alter table proof rename to evidence;

create unique index memory_by_entry on memory (space, entry);
create index memory_by_fingerprint on memory (space, fingerprint);
create index memory_by_slot on memory (space, slot) where slot <> '';
create index memory_by_status on memory (space, status, id);
create index memory_label_by_value on memory_label (space, key, value);

create trigger vector_leaves_with_memory after delete on memory begin
  delete from vector where space = old.space and entry = old.entry;
end;

create trigger vector_leaves_with_words after update on memory
when old.content <> new.content or old.title <> new.title or old.summary <> new.summary
  or (old.status = 'archived') <> (new.status = 'archived')
begin
  delete from vector where space = old.space and entry = old.entry;
end;
