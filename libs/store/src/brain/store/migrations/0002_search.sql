-- Ranked search: postings and places of chunks; and an index that is forgotten by a trigger.

alter table knowledge.document drop constraint document_source_id_fkey;
alter table knowledge.folder drop constraint folder_source_id_fkey;
alter table knowledge.definition drop constraint definition_source_id_fkey;
alter table knowledge.reference drop constraint reference_source_id_fkey;
alter table knowledge.changed drop constraint changed_source_id_fkey;

-- Postings of chunks: a segment is written once and never changed, and no id comes twice.
create table knowledge.search_segment (
    id bigint generated always as identity primary key,
    source_id bigint not null,
    head bytea not null
);
create index search_segment_source on knowledge.search_segment (source_id, id);

-- Terms by hash: a question reads the buckets of its own terms.
create table knowledge.search_bucket (
    segment_id bigint not null,
    number integer not null,
    blocks bytea not null,
    primary key (segment_id, number)
);
-- posting blocks are compact as they are
alter table knowledge.search_bucket alter column blocks set storage external;
alter table knowledge.search_segment alter column head set storage external;

create table knowledge.chunk_place (
    source_id bigint not null,
    path text collate "C" not null,
    places bytea not null,
    primary key (source_id, path)
);

-- No foreign keys from what a build writes: checking each of its rows costs a third of the writing.
-- The publishing transaction holds the source's row, so nothing is written of one that is gone.
create function knowledge.forget_index() returns trigger language plpgsql as $$
begin
    delete from knowledge.document where source_id = old.id;
    delete from knowledge.folder where source_id = old.id;
    delete from knowledge.definition where source_id = old.id;
    delete from knowledge.reference where source_id = old.id;
    delete from knowledge.changed where source_id = old.id;
    delete from knowledge.chunk_place where source_id = old.id;
    delete from knowledge.search_bucket where segment_id in
        (select id from knowledge.search_segment where source_id = old.id);
    delete from knowledge.search_segment where source_id = old.id;
    return old;
end $$;
create trigger forget_index after delete on knowledge.source
    for each row execute function knowledge.forget_index();
