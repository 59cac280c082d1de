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
