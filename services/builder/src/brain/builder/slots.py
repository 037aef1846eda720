"""Slots: a bounded number of persistent build children, forked from a lean server process."""

import asyncio
import contextlib
import multiprocessing
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from brain.builder.child import serve_builds
from brain.builder.job import Died, FillJob, Job, Message, Outcome, Progress, Started

#: An idle child gives its memory back after this.
IDLE_S = 60.0
#: A build that takes longer is killed and counts as a death: a guard, not a limit of the index.
LONGEST_BUILD_S = 3600.0

Report = Callable[[Started | Progress], Awaitable[None]]


class BuildChild:
    """One child process with its pipe; started when there is work, ended when it idles."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["brain.builder.child"])
        self._process: BaseProcess | None = None
        self._pipe: Connection[object, object] | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def run(self, job: Job | FillJob, report: Report) -> Outcome:
        """Run one job to its outcome; a dead child gives `Died`, never an exception."""
        if self._idle:
            self._idle.cancel()
        try:
            async with asyncio.timeout(LONGEST_BUILD_S):
                return await self._converse(job, report)
        except TimeoutError:
            self.kill()
            return Died(f"The build took longer than {LONGEST_BUILD_S:.0f} seconds.")
        except (EOFError, OSError):
            return await self._bury()
        except asyncio.CancelledError:
            self.kill()
            raise
        finally:
            self._idle = asyncio.get_running_loop().call_later(IDLE_S, self.kill)

    async def _converse(self, job: Job | FillJob, report: Report) -> Outcome:
        pipe = await asyncio.to_thread(self._start)
        pipe.send(job)
        while True:
            message = await asyncio.to_thread(pipe.recv)
            if isinstance(message, Started | Progress):
                await report(message)
            else:
                return _outcome(message)

    def _start(self) -> "Connection[object, object]":
        if self._process is None or not self._process.is_alive() or self._pipe is None:
            self.kill()
            ours, theirs = self._context.Pipe()
            self._process = self._context.Process(
                target=serve_builds, args=(theirs,), name="brain-build"
            )
            self._process.start()
            theirs.close()
            self._pipe = ours
        return self._pipe

    async def _bury(self) -> Died:
        process = self._process
        if process is not None:
            await asyncio.to_thread(process.join, 5)
        code = process.exitcode if process is not None else None
        self.kill()
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        return Died(f"The build process died ({how}).")

    def kill(self) -> None:
        """End the child at once; its database session, and so its lock, goes with it."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None and self._process.is_alive():
            self._process.kill()
            self._process.join(5)
        self._process = self._pipe = None


def _outcome(message: object) -> Outcome:
    if isinstance(message, Outcome):
        return message
    return Died(f"The build process said something unknown: {type(message).__name__}.")


class BuildSlots:
    """Children shared by all lanes: at most *count* builds run at once, the others wait."""

    def __init__(self, count: int) -> None:
        self._free: asyncio.Queue[BuildChild] = asyncio.Queue()
        self._all = [BuildChild() for _ in range(count)]
        for child in self._all:
            self._free.put_nowait(child)

    async def run(self, job: Job | FillJob, report: Report) -> Outcome:
        """Wait for a free child and run one job in it."""
        child = await self._free.get()
        try:
            return await child.run(job, report)
        finally:
            self._free.put_nowait(child)

    def close(self) -> None:
        """End every child at once."""
        for child in self._all:
            with contextlib.suppress(OSError):
                child.kill()


__all__ = ["BuildChild", "BuildSlots", "Message"]
