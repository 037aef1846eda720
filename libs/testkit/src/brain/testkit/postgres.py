"""A real Postgres for tests: one server a session, a database of its own for each module."""

import contextlib
import itertools
from collections.abc import Callable, Iterator

import psycopg
from psycopg import sql

from brain.embedded.postgres import prepare_postgres
from brain.embedded.process import running
from brain.testkit.scratch_folder import scratch_folder

Prepare = Callable[[str], None]


class PostgresServer:
    """A running server that hands out databases.

    Args:
        url: of its first database, which stays empty.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._numbers = itertools.count(1)
        self._templates: dict[Prepare, str] = {}

    @contextlib.contextmanager
    def fresh_database(self, prepare: Prepare | None = None) -> Iterator[str]:
        """Create a database for the length of a block and yield its URL.

        Args:
            prepare: fills a database given its URL (migrations, for instance). It runs once a
                server; later databases are copies, made in milliseconds. Its sessions must end.
        """
        template = "template1" if prepare is None else self._template(prepare)
        name = self._create(template)
        try:
            yield self._url_of(name)
        finally:
            self._execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def _template(self, prepare: Prepare) -> str:
        if prepare not in self._templates:
            name = self._create("template1")
            prepare(self._url_of(name))
            self._templates[prepare] = name
        return self._templates[prepare]

    def _create(self, template: str) -> str:
        name = f"test_{next(self._numbers)}"
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        self._execute(statement.format(sql.Identifier(name), sql.Identifier(template)))
        return name

    def _url_of(self, name: str) -> str:
        return self.url.replace("@/brain?", f"@/{name}?")

    def _execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement)


@contextlib.contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Run a server for the length of a block; nothing of it stays.

    Syncing is off: what a test needs to survive is a killed server, not a lost machine.
    """
    with scratch_folder() as folder:
        postgres = prepare_postgres(folder / "postgres", durable=False)
        with running(postgres.program, folder / "postgres.log"):
            yield PostgresServer(postgres.url)
