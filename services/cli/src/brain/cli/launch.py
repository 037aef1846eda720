"""Starting the supervisor: in place of this process, or detached from the terminal."""

import json
import os
import subprocess
import sys
from pathlib import Path

from brain.cli.errors import StartupError
from brain.cli.instance import Instance, make_data_folder
from brain.cli.report import TerminalReporter
from brain.cli.settings import Settings

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
    make_data_folder(settings.data)
    reader, writer = os.pipe()
    log = settings.data / "logs" / "brain.log"
    sink = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    process = subprocess.Popen(
        [*supervisor, str(settings.data), str(settings.port_base), str(writer)],
        stdin=subprocess.DEVNULL,
        stdout=sink,
        stderr=sink,
        pass_fds=(writer,),
        start_new_session=True,
    )
    os.close(sink)
    os.close(writer)
    try:
        exit_code = _relay(reader, reporter, log)
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        raise
    if exit_code:
        process.wait()
    return exit_code


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
