import contextlib
import logging
import shlex
import time
from pathlib import Path

import pytest

from brain.gitmirror.fetch import branches, fetch, peek
from brain.gitmirror.network import _ssh_command
from brain.gitmirror.remote import NetworkRemote, parse_remote
from brain.gitmirror.remote_access import Credential, Deadlines, RemoteAccess, SshIdentity
from brain.gitmirror.snapshot import open_snapshot
from brain.gitmirror.tip import Tip

SECRET = "s3cr3t-t0ken"
HASTE = Deadlines(peek_s=1.0, fetch_s=20.0)


@pytest.fixture
def served(server, make_source):
    return make_source("served/notes.git", bare=True)


@pytest.fixture
def access(certificate):
    return RemoteAccess(ca_file=certificate)


def remote_at(server, path):
    return parse_remote(f"https://{server.authority}{path}")


def with_credential(server, certificate, secret=SECRET):
    credential = Credential(server.authority, "reader", secret)
    return RemoteAccess(credential=credential, ca_file=certificate)


def test_a_repository_is_fetched_over_tls(server, served, mirror, access):
    commit = served.commit({b"a.md": b"x"})

    assert fetch(mirror, remote_at(server, "/notes.git"), None, access) == Tip("main", commit)
    assert open_snapshot(mirror.root, 7, commit).read(b"a.md") == b"x"


def test_nothing_is_transferred_when_the_branch_stands_still(server, served, mirror, access):
    served.commit({b"a.md": b"x"})
    remote = remote_at(server, "/notes.git")
    fetch(mirror, remote, None, access)
    server.requests.clear()
    fetch(mirror, remote, None, access)

    assert [path for path, _ in server.requests] == [
        "/notes.git/info/refs?service=git-upload-pack",
        "/notes.git/git-upload-pack",
    ]


def test_only_the_followed_branch_is_fetched(server, served, mirror, access, git_in):
    commit = served.commit({b"a.md": b"x"})
    other = served.commit({b"b.md": b"y"}, branch="other")
    served.repository.references.create("refs/tags/v1", commit)
    fetch(mirror, remote_at(server, "/notes.git"), "main", access)

    assert git_in(mirror.path, "for-each-ref") == f"{commit} commit\trefs/heads/tip\n"
    assert other not in git_in(mirror.path, "cat-file", "--batch-all-objects", "--batch-check")


def test_a_force_push_and_a_renamed_default_branch_are_followed(server, served, mirror, access):
    remote = remote_at(server, "/notes.git")
    old = served.commit({b"a.md": b"x"})
    fetch(mirror, remote, None, access)
    new = served.commit({b"b.md": b"y"}, branch="trunk", parents=[])
    served.repository.set_head("refs/heads/trunk")
    tip = fetch(mirror, remote, None, access)

    assert tip == Tip("trunk", new)
    assert open_snapshot(mirror.root, 7, old).read(b"a.md") == b"x"


def test_a_branch_that_is_gone_and_an_empty_repository_are_told_apart(server, served, access):
    remote = remote_at(server, "/notes.git")
    assert peek(remote, None, access).reason == "empty"
    assert peek(remote, "main", access).reason == "empty"

    served.commit({b"a.md": b"x"})
    assert peek(remote, "side", access) == Tip("side", None, "branch-gone")


def test_a_detached_remote_is_fetched_as_head(server, served, mirror, access):
    commit = served.commit({b"a.md": b"x"})
    (served.path / "HEAD").write_text(commit + "\n")

    assert fetch(mirror, remote_at(server, "/notes.git"), None, access) == Tip("HEAD", commit)


def test_the_branches_of_a_remote_are_listed(server, served, access):
    served.commit({b"a.md": b"x"})
    served.commit({b"a.md": b"x"}, branch="side/1")

    assert branches(remote_at(server, "/notes.git"), access) == ["main", "side/1"]


def test_a_path_without_repository_says_so(server, access):
    assert peek(remote_at(server, "/none.git"), None, access).reason == "not-a-repository"


def test_a_sha256_repository_is_refused(server, tmp_path, git_in, access):
    git_in(tmp_path / "served", "init", "--quiet", "--bare", "--object-format=sha256", "big.git")
    git_in(tmp_path, "init", "--quiet", "--object-format=sha256", "-b", "main", "big")
    git_in(tmp_path / "big", "commit", "--quiet", "--allow-empty", "-m", "x")
    git_in(tmp_path / "big", "push", "--quiet", str(tmp_path / "served/big.git"), "main")
    git_in(tmp_path / "served/big.git", "symbolic-ref", "HEAD", "refs/heads/main")

    assert peek(remote_at(server, "/big.git"), None, access).reason == "sha256"


def test_a_certificate_that_is_not_trusted_is_refused(server, served):
    served.commit({b"a.md": b"x"})

    assert peek(remote_at(server, "/notes.git"), None, RemoteAccess()).reason == "untrusted"
    assert server.requests == []


def test_a_credential_opens_a_private_repository(server, served, mirror, certificate):
    commit = served.commit({b"a.md": b"x"})
    remote = remote_at(server, "/private/notes.git")

    tip = fetch(mirror, remote, None, with_credential(server, certificate))
    assert tip == Tip("main", commit)


def test_without_a_credential_a_private_repository_is_refused(server, served, access):
    served.commit({b"a.md": b"x"})

    assert peek(remote_at(server, "/private/notes.git"), None, access).reason == "unauthorized"


def test_a_wrong_secret_is_refused_and_shown_nowhere(server, certificate, mirror, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    wrong = with_credential(server, certificate, "wr0ng-s3cr3t")
    tip = fetch(mirror, remote_at(server, "/private/notes.git"), None, wrong)

    assert tip.reason == "unauthorized"
    shown = repr(tip) + repr(wrong) + caplog.text + "".join(capfd.readouterr())
    assert "wr0ng-s3cr3t" not in shown


def test_the_secret_is_written_to_no_file(server, served, mirror, certificate):
    served.commit({b"a.md": b"x"})
    remote = remote_at(server, "/private/notes.git")
    fetch(mirror, remote, None, with_credential(server, certificate))

    for path in mirror.root.rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes()


def test_a_credential_goes_to_its_own_host_only(server, served, certificate):
    served.commit({b"a.md": b"x"})
    host = server.authority.partition(":")[0]
    for authority in ("git.example.org", host, f"{host}:1", f"x{server.authority}"):
        foreign = RemoteAccess(
            credential=Credential(authority, "reader", SECRET), ca_file=certificate
        )
        tip = peek(remote_at(server, "/private/notes.git"), None, foreign)
        assert tip.reason == "unauthorized"

    assert {authorization for _, authorization in server.requests} == {None}


def test_a_redirect_to_another_host_is_not_followed(server, served, serve, certificate):
    served.commit({b"a.md": b"x"})
    with serve(certificate) as other:
        server.elsewhere = f"https://{other.authority}/private"
        remote = remote_at(server, "/moved/notes.git")
        tip = peek(remote, None, with_credential(server, certificate))

        assert tip.reason == "redirected"
        assert other.requests == []


def test_a_redirect_to_plain_http_is_not_followed(server, served, serve, certificate):
    served.commit({b"a.md": b"x"})
    with serve(None) as plain:
        server.elsewhere = f"http://{plain.authority}"
        tip = peek(
            remote_at(server, "/moved/notes.git"), None, with_credential(server, certificate)
        )

        assert tip.commit is None
        assert plain.requests == []


def test_http_on_this_machine_needs_no_certificate(serve, served, mirror):
    commit = served.commit({b"a.md": b"x"})
    with serve(None) as plain:
        remote = parse_remote(f"http://{plain.authority}/notes.git")
        assert fetch(mirror, remote, None) == Tip("main", commit)


@pytest.mark.parametrize("path", ["/hang/notes.git", "/slow/notes.git"])
def test_a_server_that_hangs_is_given_up(server, certificate, path):
    start = time.monotonic()
    tip = peek(remote_at(server, path), None, RemoteAccess(ca_file=certificate, deadlines=HASTE))

    assert tip == Tip("", None, "unreachable", "no answer in time")
    assert time.monotonic() - start < 5


def test_a_server_that_is_down_is_unreachable(certificate, serve):
    with serve(certificate) as server:
        remote = remote_at(server, "/notes.git")

    assert peek(remote, None, RemoteAccess(ca_file=certificate)).reason == "unreachable"


def test_a_failed_fetch_leaves_the_mirror_as_it_was(server, served, mirror, access):
    commit = served.commit({b"a.md": b"x"})
    remote = remote_at(server, "/notes.git")
    fetch(mirror, remote, None, access)
    broken = served.commit({b"a.md": b"y"})
    served.object_file(broken).unlink()

    assert fetch(mirror, remote, None, access).commit is None
    assert open_snapshot(mirror.root, 7, commit).read(b"a.md") == b"x"
    assert not list(mirror.path.rglob("tmp_*"))


def test_a_damaged_mirror_is_fetched_again_whole(server, served, mirror, access):
    commit = served.commit({b"a.md": b"x"})
    remote = remote_at(server, "/notes.git")
    fetch(mirror, remote, None, access)
    for path in mirror.path.glob("objects/??/*"):
        path.chmod(0o644)
        path.write_bytes(b"")

    assert fetch(mirror, remote, None, access) == Tip("main", commit)
    assert open_snapshot(mirror.root, 7, commit).read(b"a.md") == b"x"


def test_configuration_of_the_machine_has_no_say(
    server, served, mirror, access, tmp_path, monkeypatch
):
    commit = served.commit({b"a.md": b"x"})
    config = tmp_path / "gitconfig"
    config.write_text('[url "https://127.0.0.1:1/"]\n\tinsteadOf = https://\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("GIT_SSL_NO_VERIFY", "1")

    assert fetch(mirror, remote_at(server, "/notes.git"), None, access) == Tip("main", commit)
    assert peek(remote_at(server, "/notes.git"), None).reason == "untrusted"


def test_a_shallow_remote_is_fetched_as_far_as_it_goes(
    server, served, mirror, access, tmp_path, git_in
):
    served.commit({b"a.md": b"old"})
    commit = served.commit({b"a.md": b"new"})
    cut = str(tmp_path / "served/cut.git")
    git_in(tmp_path, "clone", "--quiet", "--bare", "--depth=1", f"file://{served.path}", cut)

    assert fetch(mirror, remote_at(server, "/cut.git"), None, access) == Tip("main", commit)
    assert git_in(mirror.path, "log", "--format=%H") == f"{commit}\n"


def test_no_process_is_left_behind_when_a_server_hangs(server, certificate):
    peek(remote_at(server, "/hang/x"), None, RemoteAccess(ca_file=certificate, deadlines=HASTE))

    commands = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            commands.append(path.read_bytes())
    assert not [command for command in commands if server.authority.encode() in command]


def test_no_transport_but_that_of_the_address_is_allowed(serve, served):
    served.commit({b"a.md": b"x"})
    with serve(None) as plain:
        disguised = NetworkRemote(f"http://{plain.authority}/notes.git", "https", "127.0.0.1")

        assert "not allowed" in peek(disguised, None).detail
        assert plain.requests == []


def test_ssh_trusts_only_the_hosts_it_was_given(tmp_path):
    identity = SshIdentity(known_hosts=tmp_path / "known hosts", key=tmp_path / "key")

    command = shlex.split(_ssh_command(identity, 30))

    assert command[:3] == ["ssh", "-F", "/dev/null"]
    assert {
        "BatchMode=yes",
        "StrictHostKeyChecking=yes",
        "GlobalKnownHostsFile=/dev/null",
        f"UserKnownHostsFile={tmp_path}/known hosts",
        f"IdentityFile={tmp_path}/key",
        "IdentitiesOnly=yes",
    } <= set(command)


def test_a_secret_that_the_remote_repeats_is_struck_out(server, certificate):
    tip = peek(remote_at(server, "/echo/notes.git"), None, with_credential(server, certificate))

    assert tip.reason == "unauthorized"
    assert "you said reader:***" in tip.detail
