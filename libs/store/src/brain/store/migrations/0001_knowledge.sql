-- Projects and sources are records; everything keyed by source below them is derived from Git.

create table knowledge.project (
    id text collate "C" primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    remote text not null,
    -- null: the repository's default branch is followed wherever it moves
    branch text,
    created_at timestamptz not null default now()
);

create table knowledge.source (
    id bigint generated always as identity primary key,
    project_id text collate "C" not null references knowledge.project on delete cascade,
    -- '' is the project's full tree; others are audiences
    audience text collate "C" not null default '',
    enabled boolean not null default true,

    -- what the watcher last saw
    branch text not null default '',
    tip text not null default '',
    tip_at timestamptz,
    looked_at timestamptz,
    remote_reason text not null default '',
    remote_error text not null default '',

    -- demand: a build meets the wanted_seq it read at its start
    wanted_seq bigint not null default 0,
    wanted_whole_seq bigint not null default 0,
    met_seq bigint not null default 0,
    -- whole builds that may wait: due by count or age
    background_seq bigint not null default 0,
    met_background_seq bigint not null default 0,

    -- builds
    state text not null default 'not-built'
        check (state in ('not-built', 'queued', 'indexing', 'ready', 'failed', 'off')),
    reason text not null default '',
    error text not null default '',
    fence bigint not null default 0,
    attempted_commit text not null default '',
    attempts integer not null default 0,
    retry_at timestamptz,

    -- the index that reads answer from
    indexed_commit text not null default '',
    indexed_branch text not null default '',
    indexed_at timestamptz,
    commit_at timestamptz,
    builder_version integer not null default 0,
    -- what the repository's own config says at the indexed commit
    config jsonb not null default '{}',
    counts jsonb not null default '{}',
    left_out jsonb not null default '{}',
    last_build jsonb not null default '{}',
    incremental_builds integer not null default 0,
    whole_built_at timestamptz,

    unique (project_id, audience)
);

create table knowledge.document (
    source_id bigint not null,
    path text collate "C" not null,
    folder text collate "C" not null,
    blob bytea not null,
    -- the document's own node with its facts, and everything else about it; msgpack
    head bytea not null,
    body bytea not null,
    primary key (source_id, path)
);
create index document_folder on knowledge.document (source_id, folder);

create table knowledge.folder (
    source_id bigint not null,
    path text collate "C" not null,
    -- null for the root
    parent text collate "C",
    head bytea not null,
    primary key (source_id, path)
);
create index folder_parent on knowledge.folder (source_id, parent);

create table knowledge.definition (
    source_id bigint not null,
    key text collate "C" not null,
    kind text collate "C" not null,
    path text collate "C" not null,
    anchor text collate "C" not null,
    primary key (source_id, key, path, anchor, kind)
);

create index definition_path on knowledge.definition (source_id, path);

create table knowledge.reference (
    source_id bigint not null,
    key text collate "C" not null,
    path text collate "C" not null,
    primary key (source_id, key, path)
);
create index reference_path on knowledge.reference (source_id, path);

-- The one table that needs history: the last commit that changed each document.
create table knowledge.changed (
    source_id bigint not null,
    path text collate "C" not null,
    commit text not null,
    at bigint not null,
    subject text not null,
    primary key (source_id, path)
);

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

create table knowledge.token (
    id text collate "C" primary key,
    name text not null,
    sha256 bytea not null unique,
    -- null: every project
    projects text[],
    permissions text[] not null,
    person text,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz
);

create table knowledge.audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    principal text not null,
    action text not null,
    project_id text,
    detail jsonb not null default '{}'
);
