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
    source_id bigint not null references knowledge.source on delete cascade,
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
    source_id bigint not null references knowledge.source on delete cascade,
    path text collate "C" not null,
    -- null for the root
    parent text collate "C",
    head bytea not null,
    primary key (source_id, path)
);
create index folder_parent on knowledge.folder (source_id, parent);

create table knowledge.definition (
    source_id bigint not null references knowledge.source on delete cascade,
    key text collate "C" not null,
    kind text collate "C" not null,
    path text collate "C" not null,
    anchor text collate "C" not null,
    primary key (source_id, key, path, anchor, kind)
);

create index definition_path on knowledge.definition (source_id, path);

create table knowledge.reference (
    source_id bigint not null references knowledge.source on delete cascade,
    key text collate "C" not null,
    path text collate "C" not null,
    primary key (source_id, key, path)
);
create index reference_path on knowledge.reference (source_id, path);

-- The one table that needs history: the last commit that changed each document.
create table knowledge.changed (
    source_id bigint not null references knowledge.source on delete cascade,
    path text collate "C" not null,
    commit text not null,
    at bigint not null,
    subject text not null,
    primary key (source_id, path)
);

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
