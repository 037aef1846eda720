import os
import signal
import stat

import psycopg
import pytest

from brain.embedded.errors import MajorVersionError, OwnerError, SocketFolderError
from brain.embedded.postgres import prepare_postgres, settings_text
from brain.embedded.process import kill_session, running, start, stop, tidy
from brain.testkit.waiting import eventually

pytestmark = pytest.mark.integration


@pytest.fixture
def prepared(open_folder):
    postgres = prepare_postgres(open_folder / "postgres", durable=False)
    yield postgres
    tidy(postgres.program)


def test_a_cluster_is_durable_checksummed_and_sorts_by_code_point(open_folder):
    postgres = prepare_postgres(open_folder / "postgres")

    with (
        running(postgres.program, open_folder / "log"),
        psycopg.connect(postgres.url) as connection,
    ):
        settings = {
            name: connection.execute("SELECT current_setting(%s)", [name]).fetchone()[0]
            for name in ("fsync", "full_page_writes", "synchronous_commit", "data_checksums", "jit")
        }
        locale = connection.execute(
            "SELECT datlocprovider, datlocale, datcollate FROM pg_database WHERE datname = 'brain'"
        ).fetchone()

    assert settings == {
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "data_checksums": "on",
        "jit": "off",
    }
    assert locale == ("b", "C.UTF-8", "C")
    tidy(postgres.program)


def test_no_tcp_port_is_opened(prepared, open_folder):
    with (
        running(prepared.program, open_folder / "log"),
        psycopg.connect(prepared.url) as connection,
    ):
        addresses = connection.execute("SHOW listen_addresses").fetchone()

    assert addresses == ("",)


def test_a_second_start_keeps_the_data(prepared, open_folder):
    with (
        running(prepared.program, open_folder / "log"),
        psycopg.connect(prepared.url) as connection,
    ):
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")

    again = prepare_postgres(open_folder / "postgres", durable=False)
    with running(again.program, open_folder / "log"), psycopg.connect(again.url) as connection:
        assert connection.execute("SELECT number FROM kept").fetchone() == (7,)


def test_a_killed_server_recovers_what_was_committed(prepared, open_folder):
    process = start(prepared.program)
    eventually(lambda: prepared.program.is_ready(process.pid))
    with psycopg.connect(prepared.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    process.kill()
    process.wait()

    again = prepare_postgres(open_folder / "postgres", durable=False)

    eventually(lambda: start_and_read(again, open_folder) == (7,))


def start_and_read(postgres, folder):
    process = start(postgres.program)
    try:
        eventually(lambda: postgres.program.is_ready(process.pid) or process.poll() is not None)
        if process.poll() is not None:
            return None  # sessions of the killed server are still ending
        with psycopg.connect(postgres.url) as connection:
            return connection.execute("SELECT number FROM kept").fetchone()
    finally:
        stop(process, postgres.program, 10.0)
        kill_session(process.pid)


def test_a_lock_file_naming_some_other_program_does_not_prevent_a_start(prepared, open_folder):
    with running(prepared.program, open_folder / "log") as process:
        lock_file = open_folder / "postgres" / "data" / "postmaster.pid"
        lines = lock_file.read_text().splitlines()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    # Process 1 lives and is no Postgres, as after a restart of a container.
    lock_file.write_text("\n".join(["1", *lines[1:], ""]))

    again = prepare_postgres(open_folder / "postgres", durable=False)

    assert lock_file.read_text().splitlines()[0] == str(os.getpid())
    eventually(lambda: starts(again, open_folder))


def starts(postgres, folder):
    process = start(postgres.program)
    eventually(lambda: postgres.program.is_ready(process.pid) or process.poll() is not None)
    ready = process.poll() is None
    stop(process, postgres.program, 10.0)
    return ready


def test_a_cluster_of_another_major_version_is_refused_and_kept(prepared, open_folder):
    version = open_folder / "postgres" / "data" / "PG_VERSION"
    version.write_text("17\n")

    with pytest.raises(MajorVersionError, match="written by Postgres 17 and this version runs 18"):
        prepare_postgres(open_folder / "postgres")

    assert version.exists()


def test_the_socket_folder_is_private(prepared):
    assert stat.S_IMODE(prepared.program.run_folders[0].stat().st_mode) == 0o700


def test_a_socket_folder_that_lets_others_in_is_refused(prepared, open_folder):
    prepared.program.run_folders[0].chmod(0o755)

    with pytest.raises(SocketFolderError, match="lets other users in"):
        prepare_postgres(open_folder / "postgres", durable=False)


def test_a_socket_folder_that_is_a_link_is_refused(prepared, open_folder):
    prepared.program.run_folders[0].rmdir()
    prepared.program.run_folders[0].symlink_to(open_folder)

    with pytest.raises(SocketFolderError, match="is no folder"):
        prepare_postgres(open_folder / "postgres", durable=False)

    prepared.program.run_folders[0].unlink()
    prepared.program.run_folders[0].mkdir()


def test_a_creation_cut_short_is_started_over(open_folder):
    draft = open_folder / "postgres" / "data.draft"
    draft.mkdir(parents=True)
    (open_folder / "postgres").chmod(0o711)
    (draft / "PG_VERSION").write_text("18\n")

    postgres = prepare_postgres(open_folder / "postgres", durable=False)

    assert (open_folder / "postgres" / "data" / "PG_VERSION").read_text() == "18\n"
    assert not draft.exists()
    tidy(postgres.program)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_cluster_that_belongs_to_root_is_refused(open_folder):
    (open_folder / "postgres" / "data").mkdir(parents=True)

    with pytest.raises(OwnerError, match="neither as root nor as somebody else"):
        prepare_postgres(open_folder / "postgres")


def test_throwaway_servers_alone_skip_syncing(tmp_path):
    assert "fsync" not in settings_text(tmp_path, durable=True)
    assert "fsync = off\n" in settings_text(tmp_path, durable=False)
