-- What raises a memory in answers: that it is pinned for a while, and that it was recalled before.

-- A briefing: one memory, or several that are told together. It ends by itself; ended ones go with the next pin.
create table briefing (
  space     integer not null,
  id        text    not null,
  place     integer not null,
  memory    text    not null,
  pinned_at text    not null,
  until     text    not null,
  role      text    not null check (role in ('owner', 'agent')),
  author    text    not null,
  primary key (space, id, place),
  foreign key (space, memory) references memory (space, id) on delete cascade
) strict, without rowid;

create index briefing_by_memory on briefing (space, memory);

create table recalled (
  space   integer not null,
  memory  text    not null,
  times   integer not null,
  last_at text    not null,
  primary key (space, memory),
  foreign key (space, memory) references memory (space, id) on delete cascade
) strict, without rowid;

-- What every save of a memory pays for: no index that a rare question can do without, or a smaller one.
drop index claim_by_note;  -- the key of a note names its claim
drop index act_by_target;  -- the log of one id is read seldom, and reading all of it takes milliseconds
drop index source_by_kind;
create index source_by_kind on source (space, kind) where kind <> 'note';
drop index memory_by_status;
create index memory_by_status on memory (space, status, id) where status <> 'active';

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
) strict, without rowid;
insert into proof select space, claim, place, since, until, version, start, stop, quote from evidence;
drop table evidence;
alter table proof rename to evidence;
create index proof_by_version on evidence (space, version);
