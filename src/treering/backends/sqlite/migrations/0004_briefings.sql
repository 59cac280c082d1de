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
