"""The supervisor: one small process that starts everything else, keeps it running and ends it.

Run as ``python -P -m brain.cli.supervisor DATA PORT_BASE MODE`` by ``brain up``; MODE is ``human``,
``json`` or the number of a pipe to report to. It imports the standard library and
``brain.embedded`` alone, because it stays as long as the product runs.
"""

import os
import signal
import sys
import time

from brain.cli.child import Child, describe_exit
from brain.cli.errors import CliError, StartupError
from brain.cli.instance import (
    Instance,
    Lock,
    api_token,
    make_data_folder,
    processes_lock,
    read_instance,
    remove_instance,
    supervisor_lock,
    write_instance,
)
from brain.cli.keeper import Keeper
from brain.cli.leftovers import end_leftovers
from brain.cli.log_lines import LogFile, LogLines
from brain.cli.programs import Addresses, Commands, host_program, migrate_program, write_services
from brain.cli.report import PipeReporter, Reporter, TerminalReporter, colored
from brain.cli.settings import Settings, read_settings
from brain.embedded.errors import EmbeddedError
from brain.embedded.loopback import require_free_port
from brain.embedded.nats import prepare_nats
from brain.embedded.postgres import prepare_postgres
from brain.embedded.process import Program

#: Recovery after a crash may have much of the log to replay.
READY_WITHIN_S = {"postgres": 300.0, "nats": 120.0, "host": 120.0}
MIGRATED_WITHIN_S = 600.0
#: Together below the 30 s that service managers grant.
STOP_WITHIN_S = {"host": 16.0, "nats": 4.0, "postgres": 8.0}
OTHER_START_S = 180.0


class _StopAskedError(Exception):
    """A signal asked for the end while starting."""


def supervise(settings: Settings, commands: Commands, reporter: Reporter, log: LogLines) -> int:
    """Run an instance until a signal ends it.

    When the data folder is served already, its address is reported and nothing is started.

    Args:
        settings: where and how.
        commands: the command lines of the migration step and of the server process.
        reporter: told each step, then the address or the failure.
        log: receives the lines of all processes.

    Returns:
        The exit code: 0, 1 when it could not be started, 130 after Ctrl-C.
    """
    lock = supervisor_lock(settings.data)
    while not lock.take(wait_s=0.5):
        running = _wait_for_other(settings, lock)
        if running is not None:
            reporter.ready(running, already=True)
            return 0
    lock.write_pid()
    remove_instance(settings.data)
    processes = processes_lock(settings.data)
    try:
        end_leftovers(processes)
        return _run(settings, commands, reporter, log, processes)
    except (CliError, EmbeddedError) as error:
        reporter.failed(error.code, str(error))
        return 1


def _wait_for_other(settings: Settings, lock: Lock) -> Instance | None:
    """Return the instance that another supervisor runs, None when that one ended."""
    deadline_s = time.monotonic() + OTHER_START_S
    while (pid := lock.holder_pid()) is not None:
        found = read_instance(settings.data)
        if found is not None and found.pid == pid:
            return found
        if time.monotonic() > deadline_s:
            raise StartupError(f"Another start (process {pid}) does not become ready.")
        time.sleep(0.1)
    return None


def _run(
    settings: Settings, commands: Commands, reporter: Reporter, log: LogLines, processes: Lock
) -> int:
    keeper = Keeper(
        log, (processes.descriptor,), lambda children: write_services(settings.data, children)
    )
    keeper.watch_signals()
    try:
        instance = _start_all(settings, commands, reporter, keeper)
        write_instance(settings.data, instance)
        reporter.ready(instance, already=False)
        while not keeper.stop_signals:
            keeper.turn(None)
    except _StopAskedError:
        pass
    finally:
        remove_instance(settings.data)
        _stop_all(keeper, log)
    return 130 if keeper.stop_signals[0] == signal.SIGINT else 0


def _start_all(
    settings: Settings, commands: Commands, reporter: Reporter, keeper: Keeper
) -> Instance:
    token = api_token(settings.data, settings.api_token)
    require_free_port(settings.port_base, "HTTP")
    if settings.nats_url is None:
        require_free_port(settings.port_base + 1, "NATS")
    database_url = settings.database_url or _start_postgres(settings, reporter, keeper)
    nats_url = settings.nats_url or _start_nats(settings, reporter, keeper)
    addresses = Addresses(database_url, nats_url, token)
    _migrate(migrate_program(settings, commands, addresses), reporter, keeper)
    _start(host_program(settings, commands, addresses), reporter, keeper, time.monotonic())
    base = f"http://127.0.0.1:{settings.port_base}"
    return Instance(
        rest_url=f"{base}/api",
        mcp_url=f"{base}/mcp",
        token=token,
        data_folder=str(settings.data),
        pid=os.getpid(),
        started=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    )


def _start_postgres(settings: Settings, reporter: Reporter, keeper: Keeper) -> str:
    began_s = time.monotonic()
    postgres = prepare_postgres(settings.data / "postgres", runtime_folder=settings.runtime_folder)
    _start(postgres.program, reporter, keeper, began_s)
    return postgres.url


def _start_nats(settings: Settings, reporter: Reporter, keeper: Keeper) -> str:
    began_s = time.monotonic()
    nats = prepare_nats(settings.data / "nats", settings.port_base + 1)
    _start(nats.program, reporter, keeper, began_s)
    return nats.url


def _start(program: Program, reporter: Reporter, keeper: Keeper, began_s: float) -> None:
    if keeper.stop_signals:
        raise _StopAskedError
    child = keeper.add(program)
    keeper.until(
        lambda: child.state != "starting" or bool(keeper.stop_signals),
        READY_WITHIN_S[program.name],
    )
    if keeper.stop_signals:
        raise _StopAskedError
    if child.state != "ready":
        raise StartupError(_why_not(child))
    reporter.step(program.name, time.monotonic() - began_s)


def _migrate(program: Program, reporter: Reporter, keeper: Keeper) -> None:
    began_s = time.monotonic()
    child = keeper.run_once(program, MIGRATED_WITHIN_S)
    if keeper.stop_signals:
        raise _StopAskedError
    if child.exit_code != 0:
        raise StartupError(_why_not(child))
    reporter.step(program.name, time.monotonic() - began_s)


def _why_not(child: Child) -> str:
    code = child.exit_code
    outcome = "did not become ready in time" if code is None else describe_exit(code)
    lines = [line for line in child.tail if line.strip()]
    return f"{child.name} {outcome}" + "".join(f"\n  {line}" for line in lines)


def _stop_all(keeper: Keeper, log: LogLines) -> None:
    began_s = time.monotonic()
    if keeper.stop_signals:
        log.write("brain", "stopping")
    for child in reversed(keeper.children):
        keeper.stop(child, STOP_WITHIN_S[child.name])
    log.write("brain", f"stopped in {time.monotonic() - began_s:.1f} s")


def main(argv: list[str], commands: Commands) -> int:
    """Run as the supervisor of a data folder; see the module for the arguments."""
    data, port_base, mode = argv
    as_json = mode == "json"
    reporter: Reporter = (
        PipeReporter(int(mode))
        if mode.isdecimal()
        else TerminalReporter(as_json=as_json, detached=False)
    )
    os.umask(0o077)
    try:
        settings = read_settings({"data": data, "port_base": port_base})
        make_data_folder(settings.data)
        os.chdir(settings.data)
        terminal = None if mode.isdecimal() else sys.stderr
        log = LogLines(
            LogFile(settings.data / "logs" / "brain.log"),
            terminal,
            colored=terminal is not None and colored(terminal),
        )
        return supervise(settings, commands, reporter, log)
    except (CliError, EmbeddedError) as error:
        reporter.failed(error.code, str(error))
    except OSError as error:  # a folder that cannot be written, a disk that is full
        reporter.failed(StartupError.code, f"Brain could not be started: {error}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Commands()))
