-- The same tables as in SQLite, see ../../sqlite/migrations/0001_first.sql, in the schema that the connection has made
-- and chosen. Text is compared byte by byte, as SQLite does. An offset in a text fits 31 bits.

-- Canonical: what a store promises to keep.

create table setting (
  space bigint not null,
  name  text collate "C" not null,
  value text collate "C" not null,
  primary key (space, name)
);

create table counter (
  space bigint not null,
  name  text collate "C" not null,
  value bigint not null,
  primary key (space, name)
);

create table root (
  space      bigint not null,
  number     integer not null,
  path       text collate "C" not null,
  glob       text collate "C" not null,
  rules_hash text collate "C" not null,
  scanned_at text collate "C" not null,
  primary key (space, number),
  unique (space, path)
);

create table source (
  space      bigint not null,
  id         text collate "C" not null,
  key        text collate "C" not null,
  title      text collate "C" not null,
  kind       text collate "C" not null,
  trust      text collate "C" not null check (trust in ('owner', 'agent', 'external')),
  custody    text collate "C" not null check (custody in ('tracked', 'kept')),
  version    text collate "C" not null,
  created_at text collate "C" not null,
  primary key (space, id),
  unique (space, key)
);

create index source_by_kind on source (space, kind);

create table version (
  space       bigint not null,
  id          text collate "C" not null,
  source      text collate "C" not null,
  sha256      text collate "C" not null,
  size_bytes  bigint not null,
  encoding    text collate "C" not null,
  notice      text collate "C" not null,
  chars       integer not null,
  lines       integer not null,
  recorded_at text collate "C" not null,
  primary key (space, id),
  foreign key (space, source) references source (space, id) on delete cascade
);

create index version_by_source on version (space, source);

-- A version's decoded text in parts of bounded size, so that a stretch of a large file is read cheaply.
create table content (
  space   bigint not null,
  version text collate "C" not null,
  start   integer not null,
  text    text collate "C" not null,
  primary key (space, version, start),
  foreign key (space, version) references version (space, id) on delete cascade
);

-- A stretch is read by decompressing its part up to there, which takes lz4 a fraction of the time; not every server
-- is built with it.
do $$
begin
  alter table content alter column text set compression lz4;
exception when feature_not_supported then
  null;
end
$$;

create table tracked (
  space      bigint not null,
  source     text collate "C" not null,
  root       integer not null,
  path       text collate "C" not null,
  size_bytes bigint not null,
  mtime_ns   bigint not null,
  ctime_ns   bigint not null,
  rules_hash text collate "C" not null,
  state      text collate "C" not null check (state in ('none', 'parsed', 'unparsed')),
  error      text collate "C" not null,
  primary key (space, root, path),
  unique (space, source),
  foreign key (space, source) references source (space, id) on delete cascade,
  foreign key (space, root) references root (space, number)
);

create table skipped (
  space  bigint not null,
  root   integer not null,
  path   text collate "C" not null,
  reason text collate "C" not null,
  primary key (space, root, path),
  foreign key (space, root) references root (space, number) on delete cascade
);

-- The folders that the last run over a root went through: a name that came or went changes their time.
create table folder (
  space    bigint not null,
  root     integer not null,
  path     text collate "C" not null,
  mtime_ns bigint not null,
  primary key (space, root, path),
  foreign key (space, root) references root (space, number) on delete cascade
);

create table label (
  space  bigint not null,
  source text collate "C" not null,
  key    text collate "C" not null,
  place  integer not null,
  value  text collate "C" not null,
  primary key (space, source, key, place),
  foreign key (space, source) references source (space, id) on delete cascade
);

-- Without the value: one of more than 2,700 bytes fits no index.
create index label_by_key on label (space, key);

create table memory (
  space        bigint not null,
  id           text collate "C" not null,
  entry        bigint not null,
  kind         text collate "C" not null,
  title        text collate "C" not null,
  content      text collate "C" not null,
  summary      text collate "C" not null,
  source       text collate "C" not null,
  status       text collate "C" not null check (status in ('active', 'archived')),
  verification text collate "C" not null check (verification in ('user_confirmed', 'source_backed', 'inferred')),
  trust        text collate "C" not null check (trust in ('owner', 'agent', 'external')),
  revision     integer not null,
  fingerprint  bigint not null,
  recorded_at  text collate "C" not null,
  changed_at   text collate "C" not null,
  primary key (space, id),
  foreign key (space, source) references source (space, id)
);

create unique index memory_by_entry on memory (space, entry);
create index memory_by_source on memory (space, source);
-- Identical content is one memory; what is archived does not stand in the way.
create unique index memory_by_fingerprint on memory (space, fingerprint) where status = 'active';

-- What a memory said before: one row for each revision that another one replaced.
create table memory_revision (
  space      bigint not null,
  memory     text collate "C" not null,
  revision   integer not null,
  title      text collate "C" not null,
  content    text collate "C" not null,
  summary    text collate "C" not null,
  changed_at text collate "C" not null,
  primary key (space, memory, revision),
  foreign key (space, memory) references memory (space, id) on delete cascade
);

create table evidence (
  space    bigint not null,
  memory   text collate "C" not null,
  revision integer not null,
  place    integer not null,
  version  text collate "C" not null,
  start    integer not null,
  stop     integer not null,
  quote    text collate "C" not null,
  primary key (space, memory, revision, place),
  foreign key (space, memory) references memory (space, id) on delete cascade
);

create table memory_label (
  space  bigint not null,
  memory text collate "C" not null,
  key    text collate "C" not null,
  place  integer not null,
  value  text collate "C" not null,
  primary key (space, memory, key, place),
  foreign key (space, memory) references memory (space, id) on delete cascade
);

create index memory_label_by_key on memory_label (space, key);

-- What was forgotten: that it was there, never what it said.
create table tombstone (
  space        bigint not null,
  id           text collate "C" not null,
  forgotten_at text collate "C" not null,
  primary key (space, id)
);

-- Derived: reindex makes it again from the rows above.

-- Of the source's current version: a file that grows at its end keeps its first chunks as they are.
create table chunk (
  space       bigint not null,
  entry       bigint not null,
  source      text collate "C" not null,
  ordinal     integer not null,
  start       integer not null,
  stop        integer not null,
  first_line  integer not null,
  last_line   integer not null,
  kind        text collate "C" not null,
  path        text collate "C" not null,
  lead        text collate "C" not null,
  parent      integer,
  oversized   integer not null,
  opens       integer not null,
  fingerprint bigint not null,
  primary key (space, entry),
  foreign key (space, source) references source (space, id) on delete cascade
);

create unique index chunk_by_source on chunk (space, source, ordinal);

-- What made the vectors: name and revision of an embedder. The rows hold the number.
create table model (
  space  bigint not null,
  number integer not null,
  name   text collate "C" not null,
  primary key (space, number),
  unique (space, name)
);

-- One signed byte for each number of a unit vector, see domain/vector.py. The same numbers stand in `near`, where
-- pgvector compares them; half precision holds them exactly. Null for a row of zeros, which is near to nothing.
create table vector (
  space  bigint not null,
  entry  bigint not null,
  model  integer not null,
  change bigint not null,
  row    bytea not null,
  near   halfvec,
  primary key (space, entry, model),
  foreign key (space, model) references model (space, number)
);

-- What a process has not seen yet, and how many there are, without reading the rows.
create index vector_by_change on vector (space, model, change, entry);

-- A vector never outlives the words that it was made of, whoever removes or changes them.
create function vector_leaves_with_entry() returns trigger language plpgsql as $$
begin
  delete from vector v using gone g where v.space = g.space and v.entry = g.entry;
  return null;
end
$$;
create trigger vector_leaves_with_chunk after delete on chunk
  referencing old table as gone for each statement execute function vector_leaves_with_entry();
create trigger vector_leaves_with_memory after delete on memory
  referencing old table as gone for each statement execute function vector_leaves_with_entry();

create function vector_leaves_with_words() returns trigger language plpgsql as $$
begin
  delete from vector where space = old.space and entry = old.entry;
  return null;
end
$$;
create trigger vector_leaves_with_words after update on memory for each row
  when (old.content <> new.content or old.title <> new.title or old.summary <> new.summary or old.status <> new.status)
  execute function vector_leaves_with_words();

-- The keyword index: the words of an entry's head (A, twice, as they count) and body (D) with their places. An entry
-- too long for one row has several parts; `length` is that of all of them. Ranking reads whole vectors: they stay in
-- their rows, as they are.
create table words (
  space  bigint not null,
  entry  bigint not null,
  part   integer not null,
  length integer not null,
  vector tsvector not null,
  primary key (space, entry, part)
) with (toast_tuple_target = 8160);
alter table words alter column vector set storage external;

-- A space has an index of its own, which queries name by its number. What waits to be sorted in is read by each search.
create index words_of_1 on words using gin (vector) with (gin_pending_list_limit = 4096) where space = 1;

-- How many entries hold a word.
create table word (
  space   bigint not null,
  word    text collate "C" not null,
  entries bigint not null,
  primary key (space, word)
) with (fillfactor = 80);

-- Rises with every change, so that others see that there was one.
create table change (
  space  bigint not null,
  number bigint not null,
  primary key (space)
) with (fillfactor = 50);

insert into change (space, number) values (1, 0);

-- The planner's statistics keep samples of columns: none of text, which must not outlive its row there.
alter table source alter column key set statistics 0, alter column title set statistics 0;
alter table content alter column text set statistics 0;
alter table tracked alter column path set statistics 0, alter column error set statistics 0;
alter table skipped alter column path set statistics 0, alter column reason set statistics 0;
alter table folder alter column path set statistics 0;
alter table label alter column value set statistics 0;
alter table memory alter column title set statistics 0, alter column content set statistics 0, alter column summary set statistics 0;
alter table memory_revision alter column title set statistics 0, alter column content set statistics 0, alter column summary set statistics 0;
alter table evidence alter column quote set statistics 0;
alter table memory_label alter column value set statistics 0;
alter table chunk alter column path set statistics 0, alter column lead set statistics 0;
alter table words alter column vector set statistics 0;
alter table word alter column word set statistics 0;
