"""Network remotes: asks for tips and fetches, through the git binary alone."""

import re
import shlex

from brain.gitmirror.branch_name import is_branch
from brain.gitmirror.git_command import Finished, run_git
from brain.gitmirror.remote import NetworkRemote
from brain.gitmirror.remote_access import Credential, RemoteAccess, SshIdentity
from brain.gitmirror.tip import DETACHED, Reason, Tip, no_tip

_HEADS = "refs/heads/"
_SHA1 = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MAX_DETAIL = 300

#: First match wins; Git speaks English under LC_ALL=C.
_SAID: tuple[tuple[str, Reason], ...] = (
    ("mismatched algorithms", "sha256"),
    ("unknown object format", "sha256"),
    ("unable to update url base from redirection", "redirected"),
    ("returned error: 30", "redirected"),
    ("certificate", "untrusted"),
    ("SSL ", "untrusted"),
    ("Host key verification failed", "untrusted"),
    ("Authentication failed", "unauthorized"),
    ("could not read Username", "unauthorized"),
    ("could not read Password", "unauthorized"),
    ("returned error: 401", "unauthorized"),
    ("returned error: 403", "unauthorized"),
    ("Permission denied", "unauthorized"),
    ("returned error: 404", "not-a-repository"),
    ("returned error: 410", "not-a-repository"),
    ("not found", "not-a-repository"),
    ("not valid: is this a git repository", "not-a-repository"),
    ("does not appear to be a git repository", "not-a-repository"),
)

# Git tells a helper the protocol and host as fields, so the answer can depend on them; the
# prompt that askpass gets is prose. The helper is also scoped to the URL in the configuration.
_HELPER = (
    '!f() { test "$1" = get || exit 0; ok=; '
    'while IFS= read -r line && test -n "$line"; do '
    'test "$line" = "host=$BRAIN_GIT_AUTHORITY" && ok=1; done; '
    'test -z "$ok" || '
    'printf "username=%s\\npassword=%s\\n" "$BRAIN_GIT_USERNAME" "$BRAIN_GIT_SECRET"; }; f'
)


def peek_network(remote: NetworkRemote, branch: str | None, access: RemoteAccess) -> Tip:
    """Ask *remote* where *branch*, or its default branch, stands; transfers no object."""
    patterns = ["HEAD"] if branch is None else ["HEAD", _HEADS + branch]
    finished = _ls_remote(remote, patterns, access)
    if finished.status != 0 or finished.timed_out:
        return failed(branch, finished, access)
    head, refs = _parse(finished.stdout)
    if any(_SHA256.fullmatch(commit) for commit in refs.values()):
        return no_tip(branch, "sha256")
    if branch is None:
        return _default_tip(head, refs.get("HEAD"))
    if commit := refs.get(_HEADS + branch):
        return Tip(branch, commit)
    return no_tip(branch, "branch-gone" if refs or list_branches(remote, access) else "empty")


def list_branches(remote: NetworkRemote, access: RemoteAccess) -> list[str]:
    """Name the branches of *remote* that can be followed, sorted; empty when it cannot tell."""
    finished = _ls_remote(remote, [_HEADS + "*"], access)
    if finished.status != 0 or finished.timed_out:
        return []
    _, refs = _parse(finished.stdout)
    names = (name.removeprefix(_HEADS) for name in refs if name.startswith(_HEADS))
    return sorted(filter(is_branch, names))


def fetch_network(
    remote: NetworkRemote, git_dir: str, branch: str, into: str, access: RemoteAccess
) -> Finished:
    """Fetch *branch* of *remote*, and nothing else, into the reference *into* of *git_dir*.

    *branch* is a checked branch name, or ``HEAD`` for a remote whose HEAD is detached; *into* is
    the full name of the reference that is overwritten.
    """
    source = DETACHED if branch == DETACHED else _HEADS + branch
    return run_git(
        [
            f"--git-dir={git_dir}",
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
            "--update-shallow",
            "--",
            remote.url,
            f"+{source}:{into}",
        ],
        deadline_s=access.deadlines.fetch_s,
        environment=_environment(remote, access),
        config=_config(remote, access),
    )


def failed(branch: str | None, finished: Finished, access: RemoteAccess) -> Tip:
    """Return the tip that says why a git process against a remote failed."""
    if finished.timed_out:
        return no_tip(branch, "unreachable", "no answer in time")
    said = finished.stderr
    if access.credential is not None and access.credential.secret:
        said = said.replace(access.credential.secret, "***")
    return no_tip(branch, _reason(said), " ".join(said.split())[-_MAX_DETAIL:])


def _reason(said: str) -> Reason:
    for text, reason in _SAID:
        if text in said:
            return reason
    return "unreachable"


def _ls_remote(remote: NetworkRemote, patterns: list[str], access: RemoteAccess) -> Finished:
    return run_git(
        ["ls-remote", "--symref", "--quiet", "--", remote.url, *patterns],
        deadline_s=access.deadlines.peek_s,
        environment=_environment(remote, access),
        config=_config(remote, access),
    )


def _parse(stdout: bytes) -> tuple[str | None, dict[str, str]]:
    head, refs = None, {}
    for line in stdout.decode("utf-8", "surrogateescape").split("\n"):
        value, _, name = line.partition("\t")
        if value.startswith("ref: ") and name == "HEAD":
            head = value.removeprefix("ref: ")
        elif _SHA1.fullmatch(value) or _SHA256.fullmatch(value):
            refs[name] = value
    return head, refs


def _default_tip(head: str | None, commit: str | None) -> Tip:
    if commit is None:
        return no_tip((head or "").removeprefix(_HEADS), "empty")
    if head is None or not head.startswith(_HEADS):
        return Tip(DETACHED, commit)
    name = head.removeprefix(_HEADS)
    if not is_branch(name):
        return no_tip(None, "branch-name")
    return Tip(name, commit)


def _environment(remote: NetworkRemote, access: RemoteAccess) -> dict[str, str]:
    variables = {
        "GIT_ALLOW_PROTOCOL": remote.scheme,
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_SSH_VARIANT": "ssh",
        "GIT_SSH_COMMAND": _ssh_command(access.ssh, access.deadlines.peek_s),
    }
    credential = _credential(remote, access)
    if credential is not None:
        variables["BRAIN_GIT_AUTHORITY"] = credential.authority
        variables["BRAIN_GIT_USERNAME"] = credential.username
        variables["BRAIN_GIT_SECRET"] = credential.secret
    if access.ssh is not None and access.ssh.agent is not None:
        variables["SSH_AUTH_SOCK"] = str(access.ssh.agent)
    return variables


def _config(remote: NetworkRemote, access: RemoteAccess) -> dict[str, str]:
    config = {
        "http.followRedirects": "false",
        "http.lowSpeedLimit": str(access.deadlines.low_speed_bytes),
        "http.lowSpeedTime": str(access.deadlines.low_speed_s),
    }
    if access.ca_file is not None:
        config["http.sslCAInfo"] = str(access.ca_file)
    if _credential(remote, access) is not None:
        config[f"credential.{remote.scheme}://{remote.authority}.helper"] = _HELPER
    return config


def _credential(remote: NetworkRemote, access: RemoteAccess) -> Credential | None:
    credential = access.credential
    if remote.scheme == "ssh" or credential is None or credential.authority != remote.authority:
        return None
    return credential


def _ssh_command(identity: SshIdentity | None, connect_s: float) -> str:
    options = {
        "BatchMode": "yes",
        "StrictHostKeyChecking": "yes",
        "GlobalKnownHostsFile": "/dev/null",
        "UserKnownHostsFile": str(identity.known_hosts) if identity else "/dev/null",
        "ConnectTimeout": str(max(1, round(connect_s))),
        "ServerAliveInterval": "15",
        "ServerAliveCountMax": "4",
        "ForwardAgent": "no",
        "PermitLocalCommand": "no",
    }
    if identity is not None and identity.key is not None:
        options |= {"IdentityFile": str(identity.key), "IdentitiesOnly": "yes"}
    given = " ".join(f"-o {shlex.quote(f'{name}={value}')}" for name, value in options.items())
    return f"ssh -F /dev/null {given}"
