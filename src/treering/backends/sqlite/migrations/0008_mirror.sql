-- The mirror: which objects changed since it was written, and the files that it has.

-- Derived: what waits to be written. Triggers keep the list, so that no way of writing is forgotten.
create table mirror_due (
  space integer not null,
  kind  text   not null,
  id    text   not null,
  primary key (space, kind, id)
) strict, without rowid;

-- Derived: the file of each object, as it was last written or read.
create table mirror_file (
  space    integer not null,
  id       text   not null,
  path     text   not null,
  sha256   text   not null,
  size_bytes integer not null,
  mtime_ns integer not null,
  primary key (space, id)
) strict, without rowid;

create index mirror_file_by_path on mirror_file (space, path);

create trigger mirror_memory_update after update on memory begin
  insert into mirror_due values (new.space, 'memory', new.id) on conflict do nothing;
end;

create trigger mirror_memory_delete after delete on memory begin
  insert into mirror_due values (old.space, 'memory', old.id) on conflict do nothing;
end;

create trigger mirror_briefing_insert after insert on briefing begin
  insert into mirror_due values (new.space, 'memory', new.memory) on conflict do nothing;
end;

create trigger mirror_briefing_update after update on briefing begin
  insert into mirror_due values (new.space, 'memory', new.memory) on conflict do nothing;
end;

create trigger mirror_briefing_delete after delete on briefing begin
  insert into mirror_due values (old.space, 'memory', old.memory) on conflict do nothing;
end;

create trigger mirror_memory_label_insert after insert on memory_label begin
  insert into mirror_due values (new.space, 'memory', new.memory) on conflict do nothing;
end;

create trigger mirror_memory_label_update after update on memory_label begin
  insert into mirror_due values (new.space, 'memory', new.memory) on conflict do nothing;
end;

create trigger mirror_memory_label_delete after delete on memory_label begin
  insert into mirror_due values (old.space, 'memory', old.memory) on conflict do nothing;
end;

-- A memory is made with a claim, which says it: no trigger on its own row has to say it again.
create trigger mirror_claim_insert after insert on claim when new.memory <> '' begin
  insert into mirror_due values (new.space, 'memory', new.memory) on conflict do nothing;
end;

create trigger mirror_erased_insert after insert on claim when new.erased_at <> '' begin
  insert into mirror_due values (new.space, 'erased', '') on conflict do nothing;
end;

create trigger mirror_claim_update after update on claim begin
  insert into mirror_due select old.space, 'memory', old.memory where old.memory <> '' on conflict do nothing;
  insert into mirror_due select new.space, 'memory', new.memory where new.memory <> '' on conflict do nothing;
  insert into mirror_due select new.space, 'erased', '' where new.erased_at <> '' on conflict do nothing;
end;

create trigger mirror_claim_delete after delete on claim begin
  insert into mirror_due select old.space, 'memory', old.memory where old.memory <> '' on conflict do nothing;
  insert into mirror_due select old.space, 'erased', '' where old.erased_at <> '' on conflict do nothing;
end;

create trigger mirror_replacement_insert after insert on replacement begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

create trigger mirror_replacement_update after update on replacement begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

create trigger mirror_replacement_delete after delete on replacement begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.claim on conflict do nothing;
end;

create trigger mirror_claim_revision_insert after insert on claim_revision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

create trigger mirror_claim_revision_update after update on claim_revision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

create trigger mirror_claim_revision_delete after delete on claim_revision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.claim on conflict do nothing;
end;

create trigger mirror_decision_insert after insert on decision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

create trigger mirror_decision_update after update on decision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

create trigger mirror_decision_delete after delete on decision begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.claim on conflict do nothing;
end;

create trigger mirror_mention_insert after insert on mention begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

create trigger mirror_mention_update after update on mention begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
end;

create trigger mirror_mention_delete after delete on mention begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.claim on conflict do nothing;
end;

create trigger mirror_link_insert after insert on link begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.from_id on conflict do nothing;
end;

create trigger mirror_link_update after update on link begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.from_id on conflict do nothing;
end;

create trigger mirror_link_delete after delete on link begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.from_id on conflict do nothing;
end;

-- Evidence comes with a claim that is new, or with a revision of its memory: both say so themselves.
create trigger mirror_evidence_insert after insert on evidence begin
  insert into mirror_due select s.space, 'source', s.id from version v cross join source s on s.space = v.space and s.id = v.source where v.space = new.space and v.id = new.version and s.key not like 'note:mem%' on conflict do nothing;
end;

create trigger mirror_evidence_update after update on evidence begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = new.space and c.id = new.claim on conflict do nothing;
  insert into mirror_due select s.space, 'source', s.id from version v join source s on s.space = v.space and s.id = v.source where v.space = new.space and v.id = new.version and s.key not like 'note:mem%' on conflict do nothing;
end;

create trigger mirror_evidence_delete after delete on evidence begin
  insert into mirror_due select c.space, iif(c.memory = '', 'erased', 'memory'), c.memory from claim c where c.space = old.space and c.id = old.claim on conflict do nothing;
  insert into mirror_due select s.space, 'source', s.id from version v join source s on s.space = v.space and s.id = v.source where v.space = old.space and v.id = old.version and s.key not like 'note:mem%' on conflict do nothing;
end;

create trigger mirror_source_insert after insert on source when (new.custody = 'kept' and new.key not like 'note:mem%') begin
  insert into mirror_due values (new.space, 'source', new.id) on conflict do nothing;
end;

create trigger mirror_source_update after update on source when (new.custody = 'kept' and new.key not like 'note:mem%') begin
  insert into mirror_due values (new.space, 'source', new.id) on conflict do nothing;
end;

create trigger mirror_source_delete after delete on source when (old.custody = 'kept' and old.key not like 'note:mem%') begin
  insert into mirror_due values (old.space, 'source', old.id) on conflict do nothing;
end;

create trigger mirror_version_insert after insert on version begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = new.space and s.id = new.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

create trigger mirror_version_update after update on version begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = new.space and s.id = new.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

create trigger mirror_version_delete after delete on version begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = old.space and s.id = old.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

create trigger mirror_label_insert after insert on label begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = new.space and s.id = new.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

create trigger mirror_label_update after update on label begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = new.space and s.id = new.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

create trigger mirror_label_delete after delete on label begin
  insert into mirror_due select s.space, 'source', s.id from source s where s.space = old.space and s.id = old.source and s.custody = 'kept' and s.key not like 'note:mem%' on conflict do nothing;
end;

create trigger mirror_entity_insert after insert on entity begin
  insert into mirror_due values (new.space, 'entity', new.id) on conflict do nothing;
end;

create trigger mirror_entity_update after update on entity begin
  insert into mirror_due values (new.space, 'entity', new.id) on conflict do nothing;
end;

create trigger mirror_entity_delete after delete on entity begin
  insert into mirror_due values (old.space, 'entity', old.id) on conflict do nothing;
end;

create trigger mirror_alias_insert after insert on alias begin
  insert into mirror_due values (new.space, 'entity', new.entity) on conflict do nothing;
end;

create trigger mirror_alias_update after update on alias begin
  insert into mirror_due values (new.space, 'entity', new.entity) on conflict do nothing;
end;

create trigger mirror_alias_delete after delete on alias begin
  insert into mirror_due values (old.space, 'entity', old.entity) on conflict do nothing;
end;

create trigger mirror_proposal_insert after insert on proposal begin
  insert into mirror_due values (new.space, 'proposal', new.id) on conflict do nothing;
end;

create trigger mirror_proposal_update after update on proposal begin
  insert into mirror_due values (new.space, 'proposal', new.id) on conflict do nothing;
end;

create trigger mirror_proposal_delete after delete on proposal begin
  insert into mirror_due values (old.space, 'proposal', old.id) on conflict do nothing;
end;

create trigger mirror_tombstone_insert after insert on tombstone begin
  insert into mirror_due values (new.space, 'erased', '') on conflict do nothing;
end;

create trigger mirror_tombstone_update after update on tombstone begin
  insert into mirror_due values (new.space, 'erased', '') on conflict do nothing;
end;

create trigger mirror_tombstone_delete after delete on tombstone begin
  insert into mirror_due values (old.space, 'erased', '') on conflict do nothing;
end;

create trigger mirror_setting_insert after insert on setting when new.name in ('zone', 'erasure key') begin
  insert into mirror_due values (new.space, 'store', '') on conflict do nothing;
end;

create trigger mirror_setting_update after update on setting when new.name in ('zone', 'erasure key') begin
  insert into mirror_due values (new.space, 'store', '') on conflict do nothing;
end;

create trigger mirror_root_insert after insert on root begin
  insert into mirror_due values (new.space, 'store', '') on conflict do nothing;
end;

create trigger mirror_root_update after update on root begin
  insert into mirror_due values (new.space, 'store', '') on conflict do nothing;
end;

create trigger mirror_root_delete after delete on root begin
  insert into mirror_due values (old.space, 'store', '') on conflict do nothing;
end;

create trigger mirror_act_insert after insert on act begin
  insert into mirror_due values (new.space, 'act', printf('%019d', new.number)) on conflict do nothing;
end;

create trigger mirror_act_update after update on act begin
  insert into mirror_due values (new.space, 'act', printf('%019d', new.number)) on conflict do nothing;
end;

-- What a store has already is due once.
insert or ignore into mirror_due select space, 'memory', id from memory;
insert or ignore into mirror_due select space, 'source', id from source where key not like 'note:mem%'
  and (custody = 'kept' or id in (select v.source from evidence e join version v on v.space = e.space and v.id = e.version));
insert or ignore into mirror_due select space, 'entity', id from entity;
insert or ignore into mirror_due select space, 'proposal', id from proposal;
insert or ignore into mirror_due select space, 'erased', '' from tombstone;
insert or ignore into mirror_due select space, 'store', '' from setting where name in ('zone', 'erasure key');
insert or ignore into mirror_due select space, 'act', printf('%019d', number) from act;
