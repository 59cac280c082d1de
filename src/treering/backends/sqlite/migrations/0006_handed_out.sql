-- How many tokens clients were given, by the day: numbers and the names that clients call themselves.

create table handed (
  space   integer not null,
  day     text    not null,
  client  text    not null,
  answers integer not null,
  tokens  integer not null,
  primary key (space, day, client)
) strict, without rowid;
