import psycopg
import pytest

pytestmark = pytest.mark.integration


def make_table(url):
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE page (title text)")
        connection.execute("INSERT INTO page VALUES ('from the template')")


def count_tables(url):
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        return row.fetchone()[0]


def test_a_fresh_database_is_empty(database_url):
    assert count_tables(database_url) == 0


def test_databases_are_prepared_once_and_then_copied(postgres):
    calls = []

    def prepare(url):
        calls.append(url)
        make_table(url)

    with postgres.fresh_database(prepare) as one, postgres.fresh_database(prepare) as two:
        with psycopg.connect(one) as connection:
            connection.execute("DELETE FROM page")
        with psycopg.connect(two) as connection:
            titles = connection.execute("SELECT title FROM page").fetchall()

    assert titles == [("from the template",)]
    assert len(calls) == 1


def test_a_database_is_gone_after_its_block(postgres):
    with postgres.fresh_database() as url:
        pass

    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(url)
