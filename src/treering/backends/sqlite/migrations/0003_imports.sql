-- Kept originals: where they come from, when they were written, and where their bytes are.

alter table source add column url text not null default '';

-- The document's own date, as it was given.
alter table version add column source_time text not null default '';

-- Of what was imported: `text` where the text is the original byte for byte, `masked` where a secret was taken out of
-- it and the bytes were not kept, `bytes` where those lie beside it, in a
-- file named by their digest.
alter table version add column original text not null default '' check (original in ('', 'text', 'bytes', 'masked'));

create index version_by_digest on version (space, sha256) where original <> '';
