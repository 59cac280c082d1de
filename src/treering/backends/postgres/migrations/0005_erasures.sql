-- Erasures as they proceed, and what is known of copies elsewhere.

-- `begun` is written before anything is removed, so that whoever opens the store after a crash carries on. `wanted`
-- names ids; `todo` what is left to do outside of the transaction; `receipt` says what went, never what it said.
create table erasure (
  space    bigint not null,
  id       text collate "C" not null,
  state    text collate "C" not null check (state in ('begun', 'erased', 'done')),
  begun_at text collate "C" not null,
  wanted   text collate "C" not null,
  todo     text collate "C" not null,
  receipt  text collate "C" not null,
  -- Keyed digests of the erased sentences, eight bytes each: `verify` looks for them without knowing the words.
  marks    bytea   not null,
  primary key (space, id)
);

create index erasure_unfinished on erasure (space, id) where state <> 'done';

-- Archives and exports that were made of this store: a receipt names those that may hold what was erased.
create table copy (
  space   bigint not null,
  path    text collate "C" not null,
  kind    text collate "C" not null check (kind in ('backup', 'export')),
  made_at text collate "C" not null,
  primary key (space, path)
);
