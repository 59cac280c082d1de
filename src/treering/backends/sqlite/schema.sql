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
  created_at text    not null, url text not null default '',
  primary key (space, id),
  unique (space, key)
) strict, without rowid;

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
  recorded_at text    not null, source_time text not null default '', original text not null default '' check (original in ('', 'text', 'bytes', 'masked')),
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

CREATE TABLE tombstone (
  space        integer not null,
  id           text    not null,
  forgotten_at text    not null, reason text not null default '',
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

CREATE TABLE migration (number integer primary key, name text not null, checksum text not null) strict;

CREATE TABLE claim (
  space       integer not null,
  id          text    not null,
  memory      text    not null,
  slot        text    not null,
  kind        text    not null,
  title       text    not null,
  content     text    not null,
  summary     text    not null,
  value       text    not null,
  trust       text    not null check (trust in ('owner', 'agent', 'external')),
  actor       text    not null check (actor in ('owner', 'agent')),
  author      text    not null,
  note        text    not null,
  valid_from  text    not null,
  valid_to    text    not null,
  recorded_at text    not null,
  erased_at   text    not null,
  primary key (space, id)
) strict;

CREATE INDEX claim_by_slot on claim (space, slot) where slot <> '';

CREATE INDEX claim_by_memory on claim (space, memory);

CREATE TABLE replacement (
  space integer not null,
  claim text    not null,
  old   text    not null,
  primary key (space, claim, old),
  foreign key (space, claim) references claim (space, id) on delete cascade
) strict, without rowid;

CREATE INDEX replacement_by_old on replacement (space, old);

CREATE TABLE claim_revision (
  space      integer not null,
  claim      text    not null,
  revision   integer not null,
  kind       text    not null,
  title      text    not null,
  content    text    not null,
  summary    text    not null,
  value      text    not null,
  labels     text    not null,
  changed_at text    not null,
  primary key (space, claim, revision),
  foreign key (space, claim) references claim (space, id) on delete cascade
) strict;

CREATE TABLE decision (
  space     integer not null,
  number    integer not null,
  claim     text    not null,
  kind      text    not null check (kind in ('confirm', 'approve', 'reject', 'archive', 'erase', 'restore')),
  at        text    not null,
  until     text    not null,
  actor     text    not null check (actor in ('owner', 'agent')),
  reason    text    not null,
  undone_at text    not null,
  primary key (space, number),
  foreign key (space, claim) references claim (space, id) on delete cascade
) strict, without rowid;

CREATE INDEX decision_by_claim on decision (space, claim);

CREATE TABLE proposal (
  space      integer not null,
  id         text    not null,
  state      text    not null check (state in ('waiting', 'approved', 'rejected', 'closed')),
  claim      text    not null,
  operation  text    not null,
  why        text    not null,
  author     text    not null,
  made_at    text    not null,
  decided_at text    not null,
  reason     text    not null,
  primary key (space, id)
) strict;

CREATE INDEX proposal_by_state on proposal (space, state, id);

CREATE INDEX proposal_by_claim on proposal (space, claim) where claim <> '';

CREATE TABLE entity (
  space      integer not null,
  id         text    not null,
  kind       text    not null,
  name       text    not null,
  created_at text    not null,
  primary key (space, id)
) strict;

CREATE TABLE alias (
  space  integer not null,
  key    text    not null,
  entity text    not null,
  name   text    not null,
  primary key (space, key, entity),
  foreign key (space, entity) references entity (space, id) on delete cascade
) strict, without rowid;

CREATE INDEX alias_by_entity on alias (space, entity);

CREATE TABLE mention (
  space  integer not null,
  claim  text    not null,
  entity text    not null,
  primary key (space, claim, entity),
  foreign key (space, claim) references claim (space, id) on delete cascade,
  foreign key (space, entity) references entity (space, id) on delete cascade
) strict, without rowid;

CREATE INDEX mention_by_entity on mention (space, entity);

CREATE TABLE link (
  space   integer not null,
  from_id text    not null,
  to_id   text    not null,
  type    text    not null,
  made_at text    not null,
  author  text    not null,
  primary key (space, from_id, to_id, type),
  foreign key (space, from_id) references claim (space, id) on delete cascade,
  foreign key (space, to_id) references claim (space, id) on delete cascade
) strict, without rowid;

CREATE INDEX link_by_to on link (space, to_id);

CREATE TABLE act (
  space   integer not null,
  number  integer not null,
  at      text    not null,
  role    text    not null,
  author  text    not null,
  name    text    not null,
  target  text    not null,
  outcome text    not null,
  inverse text    not null,
  undone  integer not null,
  primary key (space, number)
) strict, without rowid;

CREATE TABLE stretch (
  space     integer not null,
  slot      text    not null,
  start     integer not null,
  stop      integer not null,
  memory    text    not null,
  state     text    not null check (state in ('stated', 'archived', 'erased')),
  contested integer,
  primary key (space, slot, start),
  check (start < stop)
) strict, without rowid;

CREATE TRIGGER stretches_never_overlap before insert on stretch
when exists (
  select 1 from stretch s
  where s.space = new.space and s.slot = new.slot and s.start < new.stop and new.start < s.stop
)
begin
  select raise(abort, 'two stretches of one slot overlap');
end;

CREATE TABLE "memory" (
  space         integer not null,
  id            text    not null,
  entry         integer not null,
  kind          text    not null,
  title         text    not null,
  content       text    not null,
  summary       text    not null,
  slot          text    not null,
  value         text    not null,
  source        text    not null,
  status        text    not null check (status in ('active', 'superseded', 'disputed', 'archived')),
  why           text    not null,
  verification  text    not null check (verification in ('user_confirmed', 'source_backed', 'inferred')),
  trust         text    not null check (trust in ('owner', 'agent', 'external')),
  revision      integer not null,
  fingerprint   integer not null,
  valid_from    text    not null,
  valid_to      text    not null,
  starts        integer not null,
  stops         integer not null,
  superseded_by text    not null,
  recorded_at   text    not null,
  changed_at    text    not null,
  primary key (space, id)
) strict;

CREATE TABLE "memory_label" (
  space  integer not null,
  memory text    not null,
  key    text    not null,
  place  integer not null,
  value  text    not null,
  primary key (space, memory, key, place),
  foreign key (space, memory) references "memory" (space, id) on delete cascade
) strict, without rowid;

CREATE UNIQUE INDEX memory_by_entry on memory (space, entry);

CREATE INDEX memory_by_fingerprint on memory (space, fingerprint);

CREATE INDEX memory_by_slot on memory (space, slot) where slot <> '';

CREATE INDEX memory_label_by_value on memory_label (space, key, value);

CREATE TRIGGER vector_leaves_with_memory after delete on memory begin
  delete from vector where space = old.space and entry = old.entry;
end;

CREATE TRIGGER vector_leaves_with_words after update on memory
when old.content <> new.content or old.title <> new.title or old.summary <> new.summary
  or (old.status = 'archived') <> (new.status = 'archived')
begin
  delete from vector where space = old.space and entry = old.entry;
end;

CREATE INDEX version_by_digest on version (space, sha256) where original <> '';

CREATE TABLE briefing (
  space     integer not null,
  id        text    not null,
  place     integer not null,
  memory    text    not null,
  pinned_at text    not null,
  until     text    not null,
  role      text    not null check (role in ('owner', 'agent')),
  author    text    not null,
  primary key (space, id, place),
  foreign key (space, memory) references memory (space, id) on delete cascade
) strict, without rowid;

CREATE INDEX briefing_by_memory on briefing (space, memory);

CREATE TABLE recalled (
  space   integer not null,
  memory  text    not null,
  times   integer not null,
  last_at text    not null,
  primary key (space, memory),
  foreign key (space, memory) references memory (space, id) on delete cascade
) strict, without rowid;

CREATE INDEX source_by_kind on source (space, kind) where kind <> 'note';

CREATE INDEX memory_by_status on memory (space, status, id) where status <> 'active';

CREATE TABLE "evidence" (
  space   integer not null,
  claim   text    not null,
  place   integer not null,
  since   integer not null,
  until   integer not null,
  version text    not null,
  start   integer not null,
  stop    integer not null,
  quote   text    not null,
  primary key (space, claim, place),
  foreign key (space, claim) references claim (space, id) on delete cascade
) strict, without rowid;

CREATE INDEX proof_by_version on evidence (space, version);

CREATE TABLE erasure (
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

CREATE INDEX erasure_unfinished on erasure (space, id) where state <> 'done';

CREATE TABLE copy (
  space   integer not null,
  path    text    not null,
  kind    text    not null check (kind in ('backup', 'export')),
  made_at text    not null,
  primary key (space, path)
) strict, without rowid;

CREATE TABLE handed (
  space   integer not null,
  day     text    not null,
  client  text    not null,
  answers integer not null,
  tokens  integer not null,
  primary key (space, day, client)
) strict, without rowid;

CREATE TABLE digest (
  space       integer not null,
  number      integer not null,
  parent      integer not null,
  level       integer not null,
  domain      text    not null,
  first       text    not null,
  last        text    not null,
  leaves      integer not null,
  fingerprint integer not null,
  made        text    not null,
  text        text    not null,
  row         blob    not null,
  primary key (space, number)
) strict;

CREATE INDEX digest_by_parent on digest (space, parent);

CREATE TABLE digest_leaf (
  space       integer not null,
  entry       integer not null,
  digest      integer not null,
  owner       text    not null,
  rank        text    not null,
  fingerprint integer not null,
  primary key (space, entry)
) strict;

CREATE INDEX digest_leaf_by_digest on digest_leaf (space, digest);

CREATE INDEX digest_leaf_by_owner on digest_leaf (space, owner);

CREATE TABLE digest_due (
  space integer not null,
  owner text    not null,
  primary key (space, owner)
) strict, without rowid;

CREATE TRIGGER digest_due_with_new_chunk after insert on chunk begin
  insert into digest_due select new.space, new.source
  where not exists (select 1 from digest_due d where d.space = new.space and d.owner = new.source);
end;

CREATE TRIGGER digest_due_without_chunk after delete on chunk begin
  insert into digest_due select old.space, old.source
  where not exists (select 1 from digest_due d where d.space = old.space and d.owner = old.source);
end;

CREATE TRIGGER digest_due_with_new_memory after insert on memory begin
  insert into digest_due values (new.space, new.id) on conflict do nothing;
end;

CREATE TRIGGER digest_due_without_memory after delete on memory begin
  insert into digest_due select old.space, old.id
  where not exists (select 1 from digest_due d where d.space = old.space and d.owner = old.id);
end;

CREATE TRIGGER digest_due_with_words after update on memory
when old.content <> new.content or old.title <> new.title or old.summary <> new.summary or old.status <> new.status
  or old.slot <> new.slot or old.kind <> new.kind
begin
  insert into digest_due select new.space, new.id
  where not exists (select 1 from digest_due d where d.space = new.space and d.owner = new.id);
end;

CREATE TABLE departed (
  space integer not null,
  key   text    not null,
  at    text    not null,
  primary key (space, key)
) strict, without rowid;

CREATE TABLE mirror_due (
  space integer not null,
  kind  text   not null,
  id    text   not null,
  primary key (space, kind, id)
) strict, without rowid;

CREATE TABLE mirror_file (
  space    integer not null,
  id       text   not null,
  path     text   not null,
  sha256   text   not null,
  size_bytes integer not null,
  mtime_ns integer not null,
  primary key (space, id)
) strict, without rowid;

CREATE INDEX mirror_file_by_path on mirror_file (space, path);

CREATE TRIGGER mirror_memory_update after update on memory begin
  insert into mirror_due values (new.space, 'memory', new.id) on conflict do nothing;
end;

CREATE TRIGGER mirror_memory_delete after delete on memory begin
  insert into mirror_due values (old.space, 'memory', old.id) on conflict do nothing;
end;

CREATE TRIGGER mirror_briefing_insert after insert on briefing begin
  insert into mirror_due values (new.space, 'memory', new.memory) on conflict do nothing;
end;

CREATE TRIGGER mirror_briefing_update after update on briefing begin
  insert into mirror_due values (new.space, 'memory', new.memory) on conflict do nothing;
end;

CREATE TRIGGER mirror_briefing_delete after delete on briefing begin
  insert into mirror_due values (old.space, 'memory', old.memory) on conflict do nothing;
end;

CREATE TRIGGER mirror_memory_label_insert after insert on memory_label begin
  insert into mirror_due values (new.space, 'memory', new.memory) on conflict do nothing;
end;

CREATE TRIGGER mirror_memory_label_update after update on memory_label begin
  insert into mirror_due values (new.space, 'memory', new.memory) on conflict do nothing;
end;

CREATE TRIGGER mirror_memory_label_delete after delete on memory_label begin
  insert into mirror_due values (old.space, 'memory', old.memory) on conflict do nothing;
end;

CREATE TRIGGER mirror_claim_insert after insert on claim when new.memory <> '' begin
  insert into mirror_due values (new.space, 'memory', new.memory) on conflict do nothing;
end;

CREATE TRIGGER mirror_erased_insert after insert on claim when new.erased_at <> '' begin
  insert into mirror_due values (new.space, 'erased', '') on conflict do nothing;
end;

CREATE TRIGGER mirror_claim_update after update on claim begin
  insert into mirror_due select old.space, 'memory', old.memory where old.memory <> '' on conflict do nothing;
  insert into mirror_due select new.space, 'memory', new.memory where new.memory <> '' on conflict do nothing;
  insert into mirror_due select new.space, 'erased', '' where new.erased_at <> '' on conflict do nothing;
end;

CREATE TRIGGER mirror_claim_delete after delete on claim begin
  insert into mirror_due select old.space, 'memory', old.memory where old.memory <> '' on conflict do nothing;
  insert into mirror_due select old.space, 'erased', '' where old.erased_at <> '' on conflict do nothing;
end;

CREATE TRIGGER mirror_replacement_insert after insert on replacement begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_replacement_update after update on replacement begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_replacement_delete after delete on replacement begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_claim_revision_insert after insert on claim_revision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_claim_revision_update after update on claim_revision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_claim_revision_delete after delete on claim_revision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_decision_insert after insert on decision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_decision_update after update on decision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_decision_delete after delete on decision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_mention_insert after insert on mention begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_mention_update after update on mention begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_mention_delete after delete on mention begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.claim on conflict do nothing;
end;

CREATE TRIGGER mirror_link_insert after insert on link begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.from_id on conflict do nothing;
end;

CREATE TRIGGER mirror_link_update after update on link begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.from_id on conflict do nothing;
end;

CREATE TRIGGER mirror_link_delete after delete on link begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.from_id on conflict do nothing;
end;

CREATE TRIGGER mirror_evidence_insert after insert on evidence begin
  insert into mirror_due select s.space, 'source', s.id from version v cross join source s on s.space = v.space and s.id = v.source where v.space = new.space and v.id = new.version and s.key not like 'note:mem%' on conflict do nothing;
end;

CREATE TRIGGER mirror_evidence_update after update on evidence begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
  insert into mirror_due select s.space, 'source', s.id from version v join source s on s.space = v.space and s.id = v.source where v.space = new.space and v.id = new.version and s.key not like 'note:mem%' on conflict do nothing;
end;

CREATE TRIGGER mirror_evidence_delete after delete on evidence begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.claim on conflict do nothing;
  insert into mirror_due select s.space, 'source', s.id from version v join source s on s.space = v.space and s.id = v.source where v.space = old.space and v.id = old.version and s.key not like 'note:mem%' on conflict do nothing;
end;

CREATE TRIGGER mirror_source_insert after insert on source when (new.custody = 'kept' and new.key not like 'note:mem%') begin
  insert into mirror_due values (new.space, 'source', new.id) on conflict do nothing;
end;

CREATE TRIGGER mirror_source_update after update on source when (new.custody = 'kept' and new.key not like 'note:mem%') begin
  insert into mirror_due values (new.space, 'source', new.id) on conflict do nothing;
end;

CREATE TRIGGER mirror_source_delete after delete on source when (old.custody = 'kept' and old.key not like 'note:mem%') begin
  insert into mirror_due values (old.space, 'source', old.id) on conflict do nothing;
end;

CREATE TRIGGER mirror_version_insert after insert on version begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = new.space and s.id = new.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

CREATE TRIGGER mirror_version_update after update on version begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = new.space and s.id = new.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

CREATE TRIGGER mirror_version_delete after delete on version begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = old.space and s.id = old.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

CREATE TRIGGER mirror_label_insert after insert on label begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = new.space and s.id = new.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

CREATE TRIGGER mirror_label_update after update on label begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = new.space and s.id = new.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

CREATE TRIGGER mirror_label_delete after delete on label begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = old.space and s.id = old.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

CREATE TRIGGER mirror_entity_insert after insert on entity begin
  insert into mirror_due values (new.space, 'entity', new.id) on conflict do nothing;
end;

CREATE TRIGGER mirror_entity_update after update on entity begin
  insert into mirror_due values (new.space, 'entity', new.id) on conflict do nothing;
end;

CREATE TRIGGER mirror_entity_delete after delete on entity begin
  insert into mirror_due values (old.space, 'entity', old.id) on conflict do nothing;
end;

CREATE TRIGGER mirror_alias_insert after insert on alias begin
  insert into mirror_due values (new.space, 'entity', new.entity) on conflict do nothing;
end;

CREATE TRIGGER mirror_alias_update after update on alias begin
  insert into mirror_due values (new.space, 'entity', new.entity) on conflict do nothing;
end;

CREATE TRIGGER mirror_alias_delete after delete on alias begin
  insert into mirror_due values (old.space, 'entity', old.entity) on conflict do nothing;
end;

CREATE TRIGGER mirror_proposal_insert after insert on proposal begin
  insert into mirror_due values (new.space, 'proposal', new.id) on conflict do nothing;
end;

CREATE TRIGGER mirror_proposal_update after update on proposal begin
  insert into mirror_due values (new.space, 'proposal', new.id) on conflict do nothing;
end;

CREATE TRIGGER mirror_proposal_delete after delete on proposal begin
  insert into mirror_due values (old.space, 'proposal', old.id) on conflict do nothing;
end;

CREATE TRIGGER mirror_tombstone_insert after insert on tombstone begin
  insert into mirror_due values (new.space, 'erased', '') on conflict do nothing;
end;

CREATE TRIGGER mirror_tombstone_update after update on tombstone begin
  insert into mirror_due values (new.space, 'erased', '') on conflict do nothing;
end;

CREATE TRIGGER mirror_tombstone_delete after delete on tombstone begin
  insert into mirror_due values (old.space, 'erased', '') on conflict do nothing;
end;

CREATE TRIGGER mirror_setting_insert after insert on setting when new.name in ('zone', 'erasure key') begin
  insert into mirror_due values (new.space, 'store', '') on conflict do nothing;
end;

CREATE TRIGGER mirror_setting_update after update on setting when new.name in ('zone', 'erasure key') begin
  insert into mirror_due values (new.space, 'store', '') on conflict do nothing;
end;

CREATE TRIGGER mirror_root_insert after insert on root begin
  insert into mirror_due values (new.space, 'store', '') on conflict do nothing;
end;

CREATE TRIGGER mirror_root_update after update on root begin
  insert into mirror_due values (new.space, 'store', '') on conflict do nothing;
end;

CREATE TRIGGER mirror_root_delete after delete on root begin
  insert into mirror_due values (old.space, 'store', '') on conflict do nothing;
end;

CREATE TRIGGER mirror_act_insert after insert on act begin
  insert into mirror_due values (new.space, 'act', printf('%019d', new.number)) on conflict do nothing;
end;

CREATE TRIGGER mirror_act_update after update on act begin
  insert into mirror_due values (new.space, 'act', printf('%019d', new.number)) on conflict do nothing;
end;

CREATE VIRTUAL TABLE words using fts5 (
  body, head,
  content = '',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE words_vocabulary using fts5vocab (words, row);

CREATE INDEX chunk_long on chunk (space, entry) where oversized = 1 and kind = 'prose';

insert into words (words, rank) values ('hashsize', 4194304);

pragma application_id = 1414688359;

pragma user_version = 10;
