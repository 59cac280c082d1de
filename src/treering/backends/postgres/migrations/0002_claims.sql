-- Memories that evolve: what was said (claims), what the owner decided, and the history that follows from both.

-- Canonical: who said what of which topic, since when it holds, and which memory says it now. One that was erased
-- stays as a tombstone: slot, dates and trust without any word. Times that were given stay as they were written.
create table claim (
  space       bigint not null,
  id          text collate "C" not null,
  memory      text collate "C" not null,
  slot        text collate "C" not null,
  kind        text collate "C" not null,
  title       text collate "C" not null,
  content     text collate "C" not null,
  summary     text collate "C" not null,
  value       text collate "C" not null,
  trust       text collate "C" not null check (trust in ('owner', 'agent', 'external')),
  actor       text collate "C" not null check (actor in ('owner', 'agent')),
  author      text collate "C" not null,
  note        text collate "C" not null,
  valid_from  text collate "C" not null,
  valid_to    text collate "C" not null,
  recorded_at text collate "C" not null,
  erased_at   text collate "C" not null,
  primary key (space, id)
);

create index claim_by_slot on claim (space, slot) where slot <> '';
create index claim_by_memory on claim (space, memory);
create index claim_by_note on claim (space, note) where note <> '';

-- Which claim was said to replace which.
create table replacement (
  space bigint not null,
  claim text collate "C" not null,
  old   text collate "C" not null,
  primary key (space, claim, old),
  foreign key (space, claim) references claim (space, id) on delete cascade
);

create index replacement_by_old on replacement (space, old);

-- What a claim said before a revision of its memory replaced it; labels as JSON.
create table claim_revision (
  space      bigint not null,
  claim      text collate "C" not null,
  revision   integer not null,
  kind       text collate "C" not null,
  title      text collate "C" not null,
  content    text collate "C" not null,
  summary    text collate "C" not null,
  value      text collate "C" not null,
  labels     text collate "C" not null,
  changed_at text collate "C" not null,
  primary key (space, claim, revision),
  foreign key (space, claim) references claim (space, id) on delete cascade
);

-- What a claim rests on; `until` is the revision that gave the quote up, 0 while it holds.
create table proof (
  space   bigint not null,
  claim   text collate "C" not null,
  place   integer not null,
  since   integer not null,
  until   integer not null,
  version text collate "C" not null,
  start   integer not null,
  stop    integer not null,
  quote   text collate "C" not null,
  primary key (space, claim, place),
  foreign key (space, claim) references claim (space, id) on delete cascade
);

create index proof_by_version on proof (space, version);

-- What the owner, or an agent with its own claims, decided; `until` is in UTC. One that was taken back counts until then.
create table decision (
  space     bigint not null,
  number    bigint not null,
  claim     text collate "C" not null,
  kind      text collate "C" not null check (kind in ('confirm', 'approve', 'reject', 'archive', 'erase', 'restore')),
  at        text collate "C" not null,
  until     text collate "C" not null,
  actor     text collate "C" not null check (actor in ('owner', 'agent')),
  reason    text collate "C" not null,
  undone_at text collate "C" not null,
  primary key (space, number),
  foreign key (space, claim) references claim (space, id) on delete cascade
);

create index decision_by_claim on decision (space, claim);

-- What waits for the owner: a claim that its slot's history does not let through, or a whole operation as JSON.
create table proposal (
  space      bigint not null,
  id         text collate "C" not null,
  state      text collate "C" not null check (state in ('waiting', 'approved', 'rejected', 'closed')),
  claim      text collate "C" not null,
  operation  text collate "C" not null,
  why        text collate "C" not null,
  author     text collate "C" not null,
  made_at    text collate "C" not null,
  decided_at text collate "C" not null,
  reason     text collate "C" not null,
  primary key (space, id)
);

create index proposal_by_state on proposal (space, state, id);
create index proposal_by_claim on proposal (space, claim) where claim <> '';

create table entity (
  space      bigint not null,
  id         text collate "C" not null,
  kind       text collate "C" not null,
  name       text collate "C" not null,
  created_at text collate "C" not null,
  primary key (space, id)
);

-- A name as it is compared: its own first, then others. Two entities may share one.
create table alias (
  space  bigint not null,
  key    text collate "C" not null,
  entity text collate "C" not null,
  name   text collate "C" not null,
  primary key (space, key, entity),
  foreign key (space, entity) references entity (space, id) on delete cascade
);

create index alias_by_entity on alias (space, entity);

create table mention (
  space  bigint not null,
  claim  text collate "C" not null,
  entity text collate "C" not null,
  primary key (space, claim, entity),
  foreign key (space, claim) references claim (space, id) on delete cascade,
  foreign key (space, entity) references entity (space, id) on delete cascade
);

create index mention_by_entity on mention (space, entity);

create table link (
  space   bigint not null,
  from_id text collate "C" not null,
  to_id   text collate "C" not null,
  type    text collate "C" not null,
  made_at text collate "C" not null,
  author  text collate "C" not null,
  primary key (space, from_id, to_id, type),
  foreign key (space, from_id) references claim (space, id) on delete cascade,
  foreign key (space, to_id) references claim (space, id) on delete cascade
);

create index link_by_to on link (space, to_id);

-- The audit log: who did what to which id, never a word of what it said. `inverse` is how it is taken back, as JSON.
create table act (
  space   bigint not null,
  number  bigint not null,
  at      text collate "C" not null,
  role    text collate "C" not null,
  author  text collate "C" not null,
  name    text collate "C" not null,
  target  text collate "C" not null,
  outcome text collate "C" not null,
  inverse text collate "C" not null,
  undone  integer not null,
  primary key (space, number)
);

create index act_by_target on act (space, target);

-- Why something was forgotten, in the owner's words.
alter table tombstone add column reason text collate "C" not null default '';

-- Derived: what follows from the claims of a slot and the decisions on them. Microseconds since 1970 in UTC.
create table stretch (
  space     bigint not null,
  slot      text collate "C" not null,
  start     bigint not null,
  stop      bigint not null,
  memory    text collate "C" not null,
  state     text collate "C" not null check (state in ('stated', 'archived', 'erased')),
  contested bigint,
  primary key (space, slot, start),
  check (start < stop)
);

create extension if not exists btree_gist;

-- Checked when a transaction ends: a slot's stretches are written anew, one by one.
alter table stretch add constraint stretches_never_overlap
  exclude using gist (space with =, slot with =, int8range(start, stop) with &&) deferrable initially deferred;

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

drop table memory_revision;
drop table evidence;
alter table proof rename to evidence;

-- A memory as it stands: what its claims say, and what follows from them and the decisions. Derived but for the labels.
alter table memory drop constraint memory_space_source_fkey, drop constraint memory_status_check;
drop index memory_by_source;
drop index memory_by_fingerprint;
alter table memory
  add check (status in ('active', 'superseded', 'disputed', 'archived')),
  add slot text collate "C" not null default '',
  add value text collate "C" not null default '',
  add why text collate "C" not null default '',
  add valid_from text collate "C" not null default '',
  add valid_to text collate "C" not null default '',
  add starts bigint not null default -4611686018427387904,
  add stops bigint not null default 4611686018427387904,
  add superseded_by text collate "C" not null default '';

create index memory_by_fingerprint on memory (space, fingerprint);
create index memory_by_slot on memory (space, slot) where slot <> '';
create index memory_by_status on memory (space, status, id);

drop trigger vector_leaves_with_words on memory;
create trigger vector_leaves_with_words after update on memory for each row
  when (old.content <> new.content or old.title <> new.title or old.summary <> new.summary
    or (old.status = 'archived') <> (new.status = 'archived'))
  execute function vector_leaves_with_words();

-- The planner's statistics keep samples of columns: none of text, which must not outlive its row there.
alter table claim alter column title set statistics 0, alter column content set statistics 0,
  alter column summary set statistics 0, alter column value set statistics 0, alter column slot set statistics 0;
alter table claim_revision alter column title set statistics 0, alter column content set statistics 0,
  alter column summary set statistics 0, alter column value set statistics 0, alter column labels set statistics 0;
alter table memory alter column value set statistics 0, alter column slot set statistics 0;
alter table evidence alter column quote set statistics 0;
alter table proposal alter column operation set statistics 0, alter column reason set statistics 0;
alter table decision alter column reason set statistics 0;
alter table entity alter column name set statistics 0;
alter table alias alter column key set statistics 0, alter column name set statistics 0;
alter table stretch alter column slot set statistics 0;
