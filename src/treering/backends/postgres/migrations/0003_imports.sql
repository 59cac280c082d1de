-- Kept originals: where they come from, when they were written, and where their bytes are.

alter table source add column url text collate "C" not null default '';

-- The document's own date, as it was given.
alter table version add column source_time text collate "C" not null default '';

-- Of what was imported: `text` where the text is the original byte for byte, `masked` where a secret was taken out of
-- it and the bytes were not kept, `bytes` where those lie beside it.
alter table version
  add column original text collate "C" not null default '' check (original in ('', 'text', 'bytes', 'masked'));

create index version_by_digest on version (space, sha256) where original <> '';

-- Bytes of originals that are no plain text, once for each content.
create table original (
  space  integer not null,
  sha256 text    collate "C" not null,
  bytes  bytea   not null,
  primary key (space, sha256)
);

alter table original alter column bytes set storage external;  -- documents are compressed by themselves
alter table source alter column url set statistics 0;
alter table original alter column bytes set statistics 0;
