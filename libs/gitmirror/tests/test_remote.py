from pathlib import Path

import pytest

from brain.gitmirror.remote import (
    CredentialsInRemoteError,
    LocalRemote,
    NetworkRemote,
    RemoteError,
    RemoteMalformedError,
    SchemeRefusedError,
    parse_remote,
)


def test_an_https_address_is_kept_with_its_host():
    remote = parse_remote("https://Git.Example.org:8443/team/notes.git")

    assert remote == NetworkRemote(
        "https://git.example.org:8443/team/notes.git", "https", "git.example.org", 8443
    )
    assert remote.authority == "git.example.org:8443"


def test_an_ssh_address_may_name_its_user():
    assert parse_remote("ssh://git@example.org/team/notes.git") == NetworkRemote(
        "ssh://git@example.org/team/notes.git", "ssh", "example.org"
    )


def test_the_scp_form_is_ssh():
    assert parse_remote("git@example.org:team/notes.git") == NetworkRemote(
        "git@example.org:team/notes.git", "ssh", "example.org"
    )


def test_an_absolute_path_is_local_whatever_it_holds():
    assert parse_remote("/srv/my notes/ü") == LocalRemote(Path("/srv/my notes/ü"))


@pytest.mark.parametrize(
    "text", ["http://127.0.0.1:8080/a", "http://localhost/a", "http://[::1]:80/a"]
)
def test_http_is_accepted_on_this_machine(text):
    assert isinstance(parse_remote(text), NetworkRemote)


@pytest.mark.parametrize(
    "text",
    [
        "ext::sh -c id",
        "ext::id",
        "fd::17",
        "file:///srv/repo",
        "FILE:///srv/repo",
        "git://example.org/a",
        "ftp://example.org/a",
        "HTTPS::x",
        "http://example.org/a",
        "http://2130706433/a",
        "http://0x7f000001/a",
        "http://169.254.169.254/a",
        "http://127.0.0.1.example.org/a",
        "transport::address",
    ],
)
def test_other_transports_are_refused(text):
    with pytest.raises(SchemeRefusedError):
        parse_remote(text)


@pytest.mark.parametrize(
    "text",
    [
        "https://user:s3cr3t@example.org/a",
        "https://s3cr3t@example.org/a",
        "https://:s3cr3t@example.org/a",
        "https://a@b:s3cr3t@example.org/a",
        "http://user:s3cr3t@127.0.0.1/a",
        "ssh://git:s3cr3t@example.org/a",
        "git:s3cr3t@example.org:team/notes.git",
    ],
)
def test_a_secret_in_the_address_is_refused_and_not_repeated(text):
    with pytest.raises(CredentialsInRemoteError) as refused:
        parse_remote(text)

    assert "s3cr3t" not in repr(refused.value) + str(refused.value.__cause__)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "notes",
        "../notes",
        "./notes:x",
        "-oProxyCommand=id",
        "--upload-pack=id",
        "/srv/a\0b",
        "/srv/a\nb",
        "https://example.org/a\r\nHost: b",
        "https:///a",
        "https://example.org",
        "https://-x.example.org/a",
        "https://example.org/a?b=c",
        "https://example.org/a#b",
        "https://example.org/../a",
        "https://example.org/a b",
        "https://example.org/a\\b",
        "https://example.org:99999/a",
        "https://example.org:x/a",
        "https://example.org:0/a",
        "https://exa$(id)mple.org/a",
        "https://[::1/a",
        "ssh://-oProxyCommand=id/a",
        "ssh://git@-oProxyCommand=id/a",
        "git@-oProxyCommand=id:a",
        "-git@example.org:a",
        "git@example.org:-a",
        "git@example.org:../a",
        "git@example.org:a b",
        "git@example.org:a`id`",
        "https://example.org/" + "a" * 3000,
    ],
)
def test_what_is_no_address_is_refused(text):
    with pytest.raises(RemoteMalformedError):
        parse_remote(text)


def test_a_refusal_is_a_sentence():
    with pytest.raises(RemoteError, match="neither an https or ssh address nor an absolute path"):
        parse_remote("notes")
