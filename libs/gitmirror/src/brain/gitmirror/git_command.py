"""The git command: runs the git binary where neither machine nor user can configure it."""

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

import msgspec

_TAIL_BYTES = 8192
_CHUNK_BYTES = 65536
#: More than a million refs; a remote that sends more is stopped.
_MAX_STDOUT_BYTES = 128 * 1024 * 1024

#: Never read a system, user or credential file: Git, ssh and curl look for them below HOME.
_CLEAN = {
    "HOME": "/nonexistent",
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "false",
    "SSH_ASKPASS": "false",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
}

#: Command-line configuration outranks the repository's; safe.directory is read from nowhere else.
_CONFIG = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "safe.directory": "*",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "credential.helper": "",
    "submodule.recurse": "false",
}


class GitMissingError(RuntimeError):
    """The git program is not installed."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class Finished(msgspec.Struct, frozen=True):
    """How a git process ended."""

    #: Exit status; negative is a signal, as subprocess has it.
    status: int
    stdout: bytes
    #: The last 8 KiB, printable.
    stderr: str
    timed_out: bool = False


def run_git(
    arguments: Sequence[str],
    *,
    deadline_s: float,
    environment: Mapping[str, str] | None = None,
    config: Mapping[str, str] | None = None,
    most_bytes: int = _MAX_STDOUT_BYTES,
) -> Finished:
    """Run git with *arguments* and collect what it says.

    The environment is built from nothing, so no configuration, hook, prompt, proxy or saved
    credential of the machine has a say. Past *deadline_s* the whole process group is killed.

    Args:
        arguments: what follows ``git``.
        deadline_s: whole time allowed, seconds.
        environment: variables to add.
        config: configuration to add; nothing of it shows in the argument list.
        most_bytes: output beyond this ends it as if it had timed out.

    Raises:
        GitMissingError: no git on the search path.

    Source: git(1), ENVIRONMENT VARIABLES; git-config(1).
    """
    program = shutil.which("git")
    if program is None:
        raise GitMissingError
    variables = _CLEAN | _path(program) | _as_environment({**_CONFIG, **(config or {})})
    with subprocess.Popen(
        [program, *arguments],
        env={**variables, **(environment or {})},
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        return _collect(process, time.monotonic() + deadline_s, most_bytes)


def _path(program: str) -> dict[str, str]:
    return {"PATH": f"{Path(program).parent}:/usr/local/bin:/usr/bin:/bin"}


def _as_environment(config: Mapping[str, str]) -> dict[str, str]:
    variables = {"GIT_CONFIG_COUNT": str(len(config))}
    for number, (key, value) in enumerate(config.items()):
        variables[f"GIT_CONFIG_KEY_{number}"] = key
        variables[f"GIT_CONFIG_VALUE_{number}"] = value
    return variables


def _collect(process: subprocess.Popen[bytes], deadline: float, most_bytes: int) -> Finished:
    out, err = bytearray(), bytearray()
    in_time = False
    try:
        in_time = _drain(process, (out, err), deadline, most_bytes) and _ended(process, deadline)
    finally:
        # On the way out of an interrupt as well: no helper may outlive its git.
        if not in_time:
            _kill_group(process)
    return Finished(process.wait(), bytes(out), printable(bytes(err)), timed_out=not in_time)


def _ended(process: subprocess.Popen[bytes], deadline: float) -> bool:
    try:
        process.wait(timeout=max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True


def _drain(
    process: subprocess.Popen[bytes],
    buffers: tuple[bytearray, bytearray],
    deadline: float,
    most_bytes: int,
) -> bool:
    out, err = buffers
    with selectors.DefaultSelector() as selector:
        for stream, buffer in ((process.stdout, out), (process.stderr, err)):
            if stream is not None:
                selector.register(stream, selectors.EVENT_READ, buffer)
        while selector.get_map():
            remaining = deadline - time.monotonic()
            if remaining <= 0 or len(out) > most_bytes:
                return False
            for key, _ in selector.select(remaining):
                stream_of_key: IO[bytes] = key.fileobj  # type: ignore[assignment]  # registered above
                chunk = os.read(stream_of_key.fileno(), _CHUNK_BYTES)
                if not chunk:
                    selector.unregister(key.fileobj)
                key.data.extend(chunk)
            del err[:-_TAIL_BYTES]
    return True


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def printable(said: bytes) -> str:
    """Decode what a process wrote; control characters other than line feeds become ``?``."""
    text = said.decode("utf-8", "replace")
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
