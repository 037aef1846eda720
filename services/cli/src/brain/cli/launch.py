"""Starting the supervisor: in place of this process, or detached from the terminal."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from brain.cli.errors import StartupError
from brain.cli.instance import Instance, make_data_folder
from brain.cli.report import TerminalReporter
from brain.cli.settings import Settings
from brain.embedded.process import Program, start

SUPERVISOR = (sys.executable, "-P", "-m", "brain.cli.supervisor")


def become_supervisor(settings: Settings, *, as_json: bool) -> None:
    """Replace this process by the supervisor, in the foreground; does not return.

    The command line's own imports go with it, which halves what stays in memory.
    """
    mode = "json" if as_json else "human"
    argv = [*SUPERVISOR, str(settings.data), str(settings.port_base), mode]
    os.execv(argv[0], argv)  # noqa: S606 - our own interpreter, and no shell


def launch_detached(
    settings: Settings,
    reporter: TerminalReporter,
    *,
    supervisor: tuple[str, ...] = SUPERVISOR,
) -> int:
    """Start a supervisor in a session of its own and wait until it serves or fails.

    It holds none of our streams. Ended by Ctrl-C while waiting, it is ended too.

    Args:
        settings: where and how.
        reporter: told what the supervisor tells.
        supervisor: its command line, without its arguments.

    Returns:
        The exit code, 0 or 1.
    """
    process, exit_code = _launch(settings, reporter, supervisor, tied=False)
    if exit_code:
        process.wait()
    return exit_code


def launch_tied(settings: Settings, reporter: TerminalReporter) -> subprocess.Popen[bytes] | None:
    """Start a supervisor that ends when this process does; wait until it serves or fails.

    Call it from the main thread. A Ctrl-C reaches this process alone: ending the supervisor in
    order is the caller's.

    Returns:
        The supervisor; None when it failed, which the reporter was told.
    """
    process, exit_code = _launch(settings, reporter, SUPERVISOR, tied=True)
    return None if exit_code else process


def _launch(
    settings: Settings, reporter: TerminalReporter, supervisor: tuple[str, ...], *, tied: bool
) -> tuple[subprocess.Popen[bytes], int]:
    make_data_folder(settings.data)
    reader, writer = os.pipe()
    log = settings.data / "logs" / "brain.log"
    sink = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    argv = (*supervisor, str(settings.data), str(settings.port_base), str(writer))
    process = (_start_tied if tied else _start_free)(settings, argv, sink, writer)
    os.close(sink)
    os.close(writer)
    try:
        return process, _relay(reader, reporter, log)
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        raise


def _start_free(
    _settings: Settings, argv: tuple[str, ...], sink: int, keep: int
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=sink,
        stderr=sink,
        pass_fds=(keep,),
        start_new_session=True,
    )


def _start_tied(
    settings: Settings, argv: tuple[str, ...], sink: int, keep: int
) -> subprocess.Popen[bytes]:
    program = Program(
        name="supervisor",
        argv=argv,
        environment=settings.environment,
        is_ready=lambda _: True,
        death_signal=signal.SIGTERM,  # so that it ends the servers in order
    )
    return start(program, output=sink, keep=(keep,))


def _relay(reader: int, reporter: TerminalReporter, log: Path) -> int:
    with open(reader, encoding="utf-8") as events:
        for line in events:
            event = json.loads(line)
            if event["event"] == "step":
                reporter.step(event["name"], event["seconds"])
            elif event["event"] == "ready":
                reporter.ready(Instance(*event["instance"]), already=event["already"])
                return 0
            else:
                reporter.failed(event["code"], event["message"])
                return 1
    raise StartupError(f"The supervisor ended without a word; its log is {log}.")
