"""Servers shared by the integration tests; with pytest-xdist each worker has its own."""

import os

import pytest

from brain.testkit.nats import nats_server
from brain.testkit.postgres import postgres_server
from brain.testkit.scratch_folder import scratch_folder

# Tests start services: these embed nothing unless a test is about that.
os.environ.setdefault("BRAIN_EMBEDDINGS", "none")


@pytest.fixture(scope="session")
def postgres():
    """Run one Postgres for the session; see ``PostgresServer``."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="module")
def database_url(postgres):
    """Create an empty database for the module."""
    with postgres.fresh_database() as url:
        yield url


@pytest.fixture(scope="session")
def nats_url():
    """Run one nats-server with JetStream for the session."""
    with nats_server() as url:
        yield url


@pytest.fixture
def open_folder():
    """Make a folder that the account of Postgres can enter."""
    with scratch_folder() as folder:
        yield folder
