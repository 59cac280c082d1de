-- What raises a memory in answers: that it is pinned for a while, and that it was recalled before.

-- A briefing: one memory, or several that are told together. It ends by itself; ended ones go with the next pin.
create table briefing (
  space     bigint not null,
  id        text collate "C" not null,
  place     integer not null,
  memory    text collate "C" not null,
  pinned_at text collate "C" not null,
  until     text collate "C" not null,
  role      text collate "C" not null check (role in ('owner', 'agent')),
  author    text collate "C" not null,
  primary key (space, id, place),
  foreign key (space, memory) references memory (space, id) on delete cascade
);

create index briefing_by_memory on briefing (space, memory);

create table recalled (
  space   bigint not null,
  memory  text collate "C" not null,
  times   integer not null,
  last_at text collate "C" not null,
  primary key (space, memory),
  foreign key (space, memory) references memory (space, id) on delete cascade
);

-- What every save of a memory pays for: no index that a rare question can do without, or a smaller one.
drop index claim_by_note;  -- the key of a note names its claim
drop index act_by_target;  -- the log of one id is read seldom, and reading all of it takes milliseconds
drop index source_by_kind;
create index source_by_kind on source (space, kind) where kind <> 'note';
drop index memory_by_status;
create index memory_by_status on memory (space, status, id) where status <> 'active';
