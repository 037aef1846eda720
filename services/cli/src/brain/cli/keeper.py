"""Keeps processes running: output, readiness, deaths and restarts in one loop of one thread.

A plain selector instead of asyncio, which would cost ten megabytes for as long as Brain runs. With
everything ready the loop sleeps until a process writes, dies, or a signal arrives.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable

from brain.cli.backoff import next_delay
from brain.cli.child import Child, State, describe_exit
from brain.cli.log_lines import LogLines
from brain.embedded.process import Program, kill_session, start, tidy

READ_BYTES = 64 * 1024
#: Readiness is asked for this often in the first seconds, and this often later.
EAGER_S, LAZY_S, EAGER_FOR_S = 0.05, 0.5, 10.0


class Keeper:
    """Starts, watches and ends child processes.

    Args:
        log: receives every line of every process.
        kept: descriptors that every process inherits.
        on_change: called after a process changed its state.
    """

    def __init__(
        self, log: LogLines, kept: tuple[int, ...], on_change: Callable[[list[Child]], None]
    ) -> None:
        self.children: list[Child] = []
        #: Signals that asked for an end, in order of arrival.
        self.stop_signals: list[int] = []
        self._log = log
        self._kept = kept
        self._on_change = on_change
        self._selector = selectors.DefaultSelector()
        self._wakeup, self._wakeup_writer = os.pipe()
        for descriptor in (self._wakeup, self._wakeup_writer):
            os.set_blocking(descriptor, False)
        self._selector.register(self._wakeup, selectors.EVENT_READ)

    def watch_signals(self) -> None:
        """Let SIGTERM, SIGINT and SIGHUP ask for an end, and deaths of children wake the loop."""
        signal.set_wakeup_fd(self._wakeup_writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda received, _: self.stop_signals.append(received))

    def add(self, program: Program) -> Child:
        """Start a program and keep it running."""
        child = Child(program)
        self.children.append(child)
        self._start(child)
        return child

    def turn(self, longest_s: float | None) -> None:
        """Wait for something to happen, at most so long, and deal with it."""
        for key, _ in self._selector.select(self._pause(longest_s)):
            if key.data is None:
                os.read(self._wakeup, READ_BYTES)
            else:
                self._drain(key.data)
        for child in self.children:
            if child.has_ended():
                self._bury(child)
            elif child.state == "starting":
                self._ask(child)
            elif child.state == "waiting" and time.monotonic() >= child.due_s:
                self._start(child)

    def until(self, reached: Callable[[], bool], timeout_s: float) -> bool:
        """Turn until something holds; return whether it does."""
        deadline_s = time.monotonic() + timeout_s
        while not reached():
            left_s = deadline_s - time.monotonic()
            if left_s <= 0:
                return False
            self.turn(min(left_s, 0.2))
        return True

    def run_once(self, program: Program, timeout_s: float) -> Child:
        """Run a program to its end; its ``exit_code`` stays None when it took too long."""
        # What was never ready is never started again.
        child = Child(program._replace(is_ready=lambda _: False))
        self.children.append(child)
        self._start(child)
        self.until(lambda: child.state == "ended" or bool(self.stop_signals), timeout_s)
        self.stop(child, 5.0)
        self.children.remove(child)
        return child

    def stop(self, child: Child, timeout_s: float) -> None:
        """End a process for good: its clean signal, then its abort signal, then SIGKILL."""
        child.wanted = False
        program = child.program
        waits = ((program.stop_signal, 0.75), (program.abort_signal, 0.25))
        for number, share in waits:
            if child.process is None or self._hurried():
                break
            os.kill(child.process.pid, number)
            self.until(lambda: child.process is None or self._hurried(), timeout_s * share)
        if child.process is not None:
            kill_session(child.process.pid)
            self.until(lambda: child.process is None, 5.0)
        tidy(program)
        self._set(child, "ended")

    def _hurried(self) -> bool:
        return self.stop_signals.count(signal.SIGINT) > 1

    def _pause(self, longest_s: float | None) -> float | None:
        now_s = time.monotonic()
        pauses = [] if longest_s is None else [longest_s]
        for child in self.children:
            if child.state == "starting":
                pauses.append(EAGER_S if now_s - child.started_s < EAGER_FOR_S else LAZY_S)
            elif child.state == "waiting":
                pauses.append(max(0.0, child.due_s - now_s))
        return min(pauses, default=None)

    def _start(self, child: Child) -> None:
        reader, writer = os.pipe()
        try:
            # The child holds the reading end too: were we killed, its last words would otherwise
            # end it by SIGPIPE before it has closed its files.
            child.process = start(child.program, output=writer, keep=(reader, *self._kept))
        except (OSError, subprocess.SubprocessError) as error:
            os.close(reader)
            self._log.write("brain", f"{child.name} cannot be started: {error}")
            self._retry_or_end(child)
            return
        finally:
            os.close(writer)
        os.set_blocking(reader, False)
        child.pipe = reader
        self._selector.register(reader, selectors.EVENT_READ, child)
        child.started_s = time.monotonic()
        self._set(child, "starting")

    def _ask(self, child: Child) -> None:
        if child.process is not None and child.program.is_ready(child.process.pid):
            if child.restarts:
                self._log.write("brain", f"{child.name} is back")
            child.wanted = True
            self._set(child, "ready")

    def _drain(self, child: Child) -> None:
        if child.pipe is None:
            return
        with contextlib.suppress(BlockingIOError):
            for line in child.take(os.read(child.pipe, READ_BYTES)):
                self._log.write(child.name, line)

    def _bury(self, child: Child) -> None:
        process = child.process
        if process is None:
            return
        kill_session(process.pid)  # what it started, while its id is still its own
        child.exit_code = process.wait()
        child.process = None
        self._close_pipe(child)
        if child.wanted:
            self._log.write("brain", f"{child.name} {describe_exit(child.exit_code)}")
        self._retry_or_end(child)

    def _retry_or_end(self, child: Child) -> None:
        if not child.wanted:
            self._set(child, "ended")
            return
        child.delay_s = next_delay(child.delay_s, time.monotonic() - child.started_s)
        child.due_s = time.monotonic() + child.delay_s
        child.restarts += 1
        self._log.write("brain", f"{child.name} is started again in {child.delay_s:.1f} s")
        self._set(child, "waiting")

    def _close_pipe(self, child: Child) -> None:
        if child.pipe is None:
            return
        self._drain(child)
        for line in child.flush():
            self._log.write(child.name, line)
        self._selector.unregister(child.pipe)
        os.close(child.pipe)
        child.pipe = None

    def _set(self, child: Child, state: State) -> None:
        if child.state != state:
            child.state = state
            self._on_change(self.children)
