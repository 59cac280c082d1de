-- How many tokens clients were given, by the day: numbers and the names that clients call themselves.

create table handed (
  space   bigint not null,
  day     text   collate "C" not null,
  client  text   collate "C" not null,
  answers bigint not null,
  tokens  bigint not null,
  primary key (space, day, client)
);
