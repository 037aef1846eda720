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

-- What reads leave behind; records, gone with their source by the same trigger.

create table knowledge.bundle (
    source_id bigint not null,
    id text collate "C" not null,
    -- what was asked; the task is empty where queries are not kept
    task text not null,
    scopes text[] not null,
    max_tokens integer not null,
    paths text[] not null,
    day date not null,
    -- the state it was made of
    commit text not null,
    builder_version integer not null,
    model text not null,
    vector_epoch bigint not null,
    -- sections with their places, and what was left out; msgpack
    manifest bytea not null,
    sha256 bytea not null,
    -- null once pruned: the manifest and Git give it again
    text text,
    created_at timestamptz not null default now(),
    used_at timestamptz not null default now(),
    hits bigint not null default 0,
    primary key (source_id, id)
);
create index bundle_with_text on knowledge.bundle (day) where text is not null;

create table knowledge.usage_event (
    source_id bigint not null,
    bundle_id text collate "C" not null,
    chunk_id text collate "C" not null,
    useful boolean not null,
    client text not null,
    at timestamptz not null default now()
);
create index usage_event_bundle on knowledge.usage_event (source_id, bundle_id);

create table knowledge.query_log (
    source_id bigint not null,
    at timestamptz not null,
    surface text not null,
    name text not null,
    -- null where queries are not kept
    query text,
    scopes text[] not null,
    mode text not null,
    results integer not null,
    top_score double precision not null,
    confidence double precision not null,
    tokens integer not null,
    bundle_id text collate "C" not null,
    client text not null
);
create index query_log_at on knowledge.query_log (at);
create index query_log_source on knowledge.query_log (source_id, at);

-- Counters of each tool and route since they were last set to nothing.
create table knowledge.served (
    source_id bigint not null,
    name text collate "C" not null,
    requests bigint not null default 0,
    tokens bigint not null default 0,
    chunks bigint not null default 0,
    omitted bigint not null default 0,
    cache_hits bigint not null default 0,
    cache_misses bigint not null default 0,
    since timestamptz not null default now(),
    primary key (source_id, name)
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
    delete from knowledge.bundle where source_id = old.id;
    delete from knowledge.usage_event where source_id = old.id;
    delete from knowledge.query_log where source_id = old.id;
    delete from knowledge.served where source_id = old.id;
    return old;
end $$;
create trigger forget_index after delete on knowledge.source
    for each row execute function knowledge.forget_index();
