-- Canonical: what a store promises to keep.

create table setting (
  space integer not null,
  name  text    not null,
  value text    not null,
  primary key (space, name)
) strict, without rowid;

create table counter (
  space integer not null,
  name  text    not null,
  value integer not null,
  primary key (space, name)
) strict, without rowid;

create table root (
  space      integer not null,
  number     integer not null,
  path       text    not null,
  glob       text    not null,
  rules_hash text    not null,
  scanned_at text    not null,
  primary key (space, number),
  unique (space, path)
) strict, without rowid;

create table source (
  space      integer not null,
  id         text    not null,
  key        text    not null,
  title      text    not null,
  kind       text    not null,
  trust      text    not null check (trust in ('owner', 'agent', 'external')),
  custody    text    not null check (custody in ('tracked', 'kept')),
  version    text    not null,
  created_at text    not null,
  primary key (space, id),
  unique (space, key)
) strict, without rowid;

create index source_by_kind on source (space, kind);

create table version (
  space       integer not null,
  id          text    not null,
  source      text    not null,
  sha256      text    not null,
  size_bytes  integer not null,
  encoding    text    not null,
  notice      text    not null,
  chars       integer not null,
  lines       integer not null,
  recorded_at text    not null,
  primary key (space, id),
  foreign key (space, source) references source (space, id) on delete cascade
) strict, without rowid;

create index version_by_source on version (space, source);

-- A version's decoded text in parts of bounded size, so that a stretch of a large file is read cheaply.
create table content (
  space   integer not null,
  version text    not null,
  start   integer not null,
  text    text    not null,
  primary key (space, version, start),
  foreign key (space, version) references version (space, id) on delete cascade
) strict;

create table tracked (
  space      integer not null,
  source     text    not null,
  root       integer not null,
  path       text    not null,
  size_bytes integer not null,
  mtime_ns   integer not null,
  ctime_ns   integer not null,
  rules_hash text    not null,
  state      text    not null check (state in ('none', 'parsed', 'unparsed')),
  error      text    not null,
  primary key (space, root, path),
  unique (space, source),
  foreign key (space, source) references source (space, id) on delete cascade,
  foreign key (space, root) references root (space, number)
) strict, without rowid;

create table skipped (
  space  integer not null,
  root   integer not null,
  path   text    not null,
  reason text    not null,
  primary key (space, root, path),
  foreign key (space, root) references root (space, number) on delete cascade
) strict, without rowid;

-- The folders that the last run over a root went through: a name that came or went changes their time.
create table folder (
  space    integer not null,
  root     integer not null,
  path     text    not null,
  mtime_ns integer not null,
  primary key (space, root, path),
  foreign key (space, root) references root (space, number) on delete cascade
) strict, without rowid;

create table label (
  space  integer not null,
  source text    not null,
  key    text    not null,
  place  integer not null,
  value  text    not null,
  primary key (space, source, key, place),
  foreign key (space, source) references source (space, id) on delete cascade
) strict, without rowid;

create index label_by_value on label (space, key, value);

create table memory (
  space        integer not null,
  id           text    not null,
  entry        integer not null,
  kind         text    not null,
  title        text    not null,
  content      text    not null,
  summary      text    not null,
  source       text    not null,
  status       text    not null check (status in ('active', 'archived')),
  verification text    not null check (verification in ('user_confirmed', 'source_backed', 'inferred')),
  trust        text    not null check (trust in ('owner', 'agent', 'external')),
  revision     integer not null,
  fingerprint  integer not null,
  recorded_at  text    not null,
  changed_at   text    not null,
  primary key (space, id),
  foreign key (space, source) references source (space, id)
) strict;

create unique index memory_by_entry on memory (space, entry);
create index memory_by_source on memory (space, source);
-- Identical content is one memory; what is archived does not stand in the way.
create unique index memory_by_fingerprint on memory (space, fingerprint) where status = 'active';

-- What a memory said before: one row for each revision that another one replaced.
create table memory_revision (
  space      integer not null,
  memory     text    not null,
  revision   integer not null,
  title      text    not null,
  content    text    not null,
  summary    text    not null,
  changed_at text    not null,
  primary key (space, memory, revision),
  foreign key (space, memory) references memory (space, id) on delete cascade
) strict, without rowid;

create table evidence (
  space    integer not null,
  memory   text    not null,
  revision integer not null,
  place    integer not null,
  version  text    not null,
  start    integer not null,
  stop     integer not null,
  quote    text    not null,
  primary key (space, memory, revision, place),
  foreign key (space, memory) references memory (space, id) on delete cascade
) strict, without rowid;

create table memory_label (
  space  integer not null,
  memory text    not null,
  key    text    not null,
  place  integer not null,
  value  text    not null,
  primary key (space, memory, key, place),
  foreign key (space, memory) references memory (space, id) on delete cascade
) strict, without rowid;

create index memory_label_by_value on memory_label (space, key, value);

-- What was forgotten: that it was there, never what it said.
create table tombstone (
  space        integer not null,
  id           text    not null,
  forgotten_at text    not null,
  primary key (space, id)
) strict, without rowid;

-- Derived: reindex makes it again from the rows above.

-- Of the source's current version: a file that grows at its end keeps its first chunks as they are.
create table chunk (
  space       integer not null,
  entry       integer not null,
  source      text    not null,
  ordinal     integer not null,
  start       integer not null,
  stop        integer not null,
  first_line  integer not null,
  last_line   integer not null,
  kind        text    not null,
  path        text    not null,
  lead        text    not null,
  parent      integer,
  oversized   integer not null,
  opens       integer not null,
  fingerprint integer not null,
  primary key (space, entry),
  foreign key (space, source) references source (space, id) on delete cascade
) strict, without rowid;

create unique index chunk_by_source on chunk (space, source, ordinal);

-- What made the vectors: name and revision of an embedder. The rows hold the number.
create table model (
  space  integer not null,
  number integer not null,
  name   text    not null,
  primary key (space, number),
  unique (space, name)
) strict, without rowid;

-- One signed byte for each number of a unit vector, see domain/vector.py. With a rowid: the newest entries come first,
-- and pages that are filled backwards stay half empty.
create table vector (
  space  integer not null,
  entry  integer not null,
  model  integer not null,
  change integer not null,
  row    blob    not null,
  primary key (space, entry, model),
  foreign key (space, model) references model (space, number)
) strict;

-- What a process has not seen yet, and how many there are, without reading the rows.
create index vector_by_change on vector (space, model, change, entry);

-- A vector never outlives the words that it was made of, whoever removes or changes them.
create trigger vector_leaves_with_chunk after delete on chunk begin
  delete from vector where space = old.space and entry = old.entry;
end;
create trigger vector_leaves_with_memory after delete on memory begin
  delete from vector where space = old.space and entry = old.entry;
end;
create trigger vector_leaves_with_words after update on memory
when old.content <> new.content or old.title <> new.title or old.summary <> new.summary or old.status <> new.status
begin
  delete from vector where space = old.space and entry = old.entry;
end;

-- rowid = chunk.entry. Contentless: an entry is removed by giving its text again ('delete'). That leaves a mark,
-- and its words until segments are merged; what must not remain is merged away at once (search.py, `erase`).
create virtual table words using fts5 (
  head, body,
  content = '',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

-- How many entries hold a word.
create virtual table words_vocabulary using fts5vocab (words, row);
