-- Erasures as they proceed, and what is known of copies elsewhere.

-- `begun` is written before anything is removed, so that whoever opens the store after a crash carries on. `wanted`
-- names ids; `todo` what is left to do outside of the transaction; `receipt` says what went, never what it said.
create table erasure (
  space    integer not null,
  id       text    not null,
  state    text    not null check (state in ('begun', 'erased', 'done')),
  begun_at text    not null,
  wanted   text    not null,
  todo     text    not null,
  receipt  text    not null,
  -- Keyed digests of the erased sentences, eight bytes each: `verify` looks for them without knowing the words.
  marks    blob    not null,
  primary key (space, id)
) strict;

create index erasure_unfinished on erasure (space, id) where state <> 'done';

-- Archives and exports that were made of this store: a receipt names those that may hold what was erased.
create table copy (
  space   integer not null,
  path    text    not null,
  kind    text    not null check (kind in ('backup', 'export')),
  made_at text    not null,
  primary key (space, path)
) strict, without rowid;
