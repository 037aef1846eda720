-- Vectors of chunks, found by what was embedded, so that none is computed twice.
create table knowledge.vector (
    project_id text collate "C" not null references knowledge.project on delete cascade,
    model text collate "C" not null,
    -- SHA-256 of the embedded text
    text_hash bytea not null,
    -- a source sees the vectors up to its epoch
    number bigint generated always as identity,
    -- one signed byte a dimension
    codes bytea not null,
    primary key (project_id, model, text_hash)
);
create index vector_number on knowledge.vector (project_id, model, number);
alter table knowledge.vector alter column codes set storage external;

-- SHA-256 of what is embedded of each chunk, one after another
alter table knowledge.chunk_place add column texts bytea not null default '';

alter table knowledge.source
    -- the model that the two below are about; empty for none
    add column vector_model text collate "C" not null default '',
    -- chunks without a vector
    add column vectors_pending integer not null default 0,
    add column vector_epoch bigint not null default 0;
