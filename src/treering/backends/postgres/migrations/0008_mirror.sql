-- The mirror: which objects changed since it was written, and the files that it has.

-- Derived: what waits to be written. Empty here: a store on a server has no mirror beside it, only exports.
create table mirror_due (
  space bigint not null,
  kind  text collate "C" not null,
  id    text collate "C" not null,
  primary key (space, kind, id)
);

-- Derived: the file of each object, as it was last written or read.
create table mirror_file (
  space    bigint not null,
  id       text collate "C" not null,
  path     text collate "C" not null,
  sha256   text collate "C" not null,
  size_bytes bigint not null,
  mtime_ns bigint not null,
  primary key (space, id)
);

create index mirror_file_by_path on mirror_file (space, path);

alter table mirror_file alter column path set statistics 0;
