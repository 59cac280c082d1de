-- What the migrations amount to. Written by scripts/schema.py; never edited, never run by the program.

CREATE TABLE setting (
  space integer not null,
  name  text    not null,
  value text    not null,
  primary key (space, name)
) strict, without rowid;

CREATE TABLE counter (
  space integer not null,
  name  text    not null,
  value integer not null,
  primary key (space, name)
) strict, without rowid;

CREATE TABLE root (
  space      integer not null,
  number     integer not null,
  path       text    not null,
  glob       text    not null,
  rules_hash text    not null,
  scanned_at text    not null,
  primary key (space, number),
  unique (space, path)
) strict, without rowid;

CREATE TABLE source (
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

CREATE INDEX source_by_kind on source (space, kind);

CREATE TABLE version (
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

CREATE INDEX version_by_source on version (space, source);

CREATE TABLE content (
  space   integer not null,
  version text    not null,
  start   integer not null,
  text    text    not null,
  primary key (space, version, start),
  foreign key (space, version) references version (space, id) on delete cascade
) strict;

CREATE TABLE tracked (
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

CREATE TABLE skipped (
  space  integer not null,
  root   integer not null,
  path   text    not null,
  reason text    not null,
  primary key (space, root, path),
  foreign key (space, root) references root (space, number) on delete cascade
) strict, without rowid;

CREATE TABLE folder (
  space    integer not null,
  root     integer not null,
  path     text    not null,
  mtime_ns integer not null,
  primary key (space, root, path),
  foreign key (space, root) references root (space, number) on delete cascade
) strict, without rowid;

CREATE TABLE label (
  space  integer not null,
  source text    not null,
  key    text    not null,
  place  integer not null,
  value  text    not null,
  primary key (space, source, key, place),
  foreign key (space, source) references source (space, id) on delete cascade
) strict, without rowid;

CREATE INDEX label_by_value on label (space, key, value);

CREATE TABLE memory (
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

CREATE UNIQUE INDEX memory_by_entry on memory (space, entry);

CREATE INDEX memory_by_source on memory (space, source);

CREATE UNIQUE INDEX memory_by_fingerprint on memory (space, fingerprint) where status = 'active';

CREATE TABLE memory_revision (
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

CREATE TABLE evidence (
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

CREATE TABLE memory_label (
  space  integer not null,
  memory text    not null,
  key    text    not null,
  place  integer not null,
  value  text    not null,
  primary key (space, memory, key, place),
  foreign key (space, memory) references memory (space, id) on delete cascade
) strict, without rowid;

CREATE INDEX memory_label_by_value on memory_label (space, key, value);

CREATE TABLE tombstone (
  space        integer not null,
  id           text    not null,
  forgotten_at text    not null,
  primary key (space, id)
) strict, without rowid;

CREATE TABLE chunk (
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

CREATE UNIQUE INDEX chunk_by_source on chunk (space, source, ordinal);

CREATE TABLE model (
  space  integer not null,
  number integer not null,
  name   text    not null,
  primary key (space, number),
  unique (space, name)
) strict, without rowid;

CREATE TABLE vector (
  space  integer not null,
  entry  integer not null,
  model  integer not null,
  change integer not null,
  row    blob    not null,
  primary key (space, entry, model),
  foreign key (space, model) references model (space, number)
) strict;

CREATE INDEX vector_by_change on vector (space, model, change, entry);

CREATE TRIGGER vector_leaves_with_chunk after delete on chunk begin
  delete from vector where space = old.space and entry = old.entry;
end;

CREATE TRIGGER vector_leaves_with_memory after delete on memory begin
  delete from vector where space = old.space and entry = old.entry;
end;

CREATE TRIGGER vector_leaves_with_words after update on memory
when old.content <> new.content or old.title <> new.title or old.summary <> new.summary or old.status <> new.status
begin
  delete from vector where space = old.space and entry = old.entry;
end;

CREATE VIRTUAL TABLE words using fts5 (
  head, body,
  content = '',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE words_vocabulary using fts5vocab (words, row);

CREATE TABLE migration (number integer primary key, name text not null, checksum text not null) strict;

pragma application_id = 1414688359;

pragma user_version = 1;
