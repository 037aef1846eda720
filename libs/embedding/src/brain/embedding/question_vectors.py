"""Vectors of questions for a server: asked of a process of its own, and remembered."""

import asyncio
import contextlib
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import OrderedDict

import msgspec
import numpy as np

from brain.embedding.child import LENGTH_BYTES, Answer
from brain.embedding.embedder import Embedder, EmbeddingError, Model
from brain.embedding.providers import choose, load
from brain.embedding.quantised import Codes, quantise
from brain.embedding.settings import Settings

log = logging.getLogger(__name__)

#: A question that takes longer is answered by keywords.
LONGEST_S = 2.0
#: The process gives its memory back after so long without a question.
IDLE_S = 60.0
#: After a failure nobody waits again for so long.
_PAUSE_S = 5.0
_REMEMBERED = 512

_decode = msgspec.msgpack.Decoder(Answer).decode


class QuestionVectors:
    """Vectors of questions by one model, as `quantise` makes them."""

    def __init__(self, settings: Settings, longest_s: float = LONGEST_S) -> None:
        self._longest_s = longest_s
        choice = choose(settings)
        #: None when there are keywords alone; `problem` says why where a model is asked for.
        self.model: Model | None = choice.model
        self.problem = choice.problem
        if choice.problem:
            log.warning("no embedding model", extra={"action": "embed", "error": choice.problem})
        self._settings = settings
        self._asker = _Process(settings) if settings.provider == "local" else _Server(settings)
        self._known: OrderedDict[str, Codes] = OrderedDict()
        self._asked: dict[str, asyncio.Task[Codes]] = {}
        self._failed_at = float("-inf")

    async def embed(self, text: str) -> Codes:
        """Return the vector of a question.

        Raises:
            EmbeddingError: there is none, or none in `LONGEST_S`; what is under way goes on, so
                that the same question a little later has its vector.
        """
        if self.model is None:
            raise EmbeddingError("No embedding model is configured.")
        known = self._known.get(text)
        if known is not None:
            self._known.move_to_end(text)
            return known
        loop = asyncio.get_running_loop()
        if loop.time() - self._failed_at < _PAUSE_S and text not in self._asked:
            raise EmbeddingError("The embedding model did not answer a moment ago.")
        task = self._asked.get(text)
        if task is None:
            task = self._asked[text] = asyncio.create_task(self._ask(text))
            task.add_done_callback(lambda done: self._answered(text, done))
        try:
            async with asyncio.timeout(self._longest_s):
                return await asyncio.shield(task)
        except TimeoutError:
            self._failed_at = loop.time()
            raise EmbeddingError("The embedding model takes too long.") from None
        except EmbeddingError:
            self._failed_at = loop.time()
            raise

    def _answered(self, text: str, done: asyncio.Task[Codes]) -> None:
        self._asked.pop(text, None)
        if not done.cancelled():
            done.exception()  # who asked may have gone: nobody else would look at it

    async def _ask(self, text: str) -> Codes:
        vector = np.frombuffer(await self._asker.ask(text), "<f4")
        codes: Codes = quantise(vector[None])[0]
        self._known[text] = codes
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return codes

    async def close(self) -> None:
        """End the process."""
        for task in list(self._asked.values()):
            task.cancel()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)
        await self._asker.close()


class _Server:
    """A model behind HTTP, asked from a thread."""

    def __init__(self, settings: Settings) -> None:
        asked = msgspec.structs.replace(settings, timeout_s=min(settings.timeout_s, LONGEST_S))
        self._settings = asked
        self._embedder: Embedder | None = None

    async def ask(self, text: str) -> bytes:
        if self._embedder is None:
            self._embedder = load(self._settings, threads=1)
        vector = await asyncio.to_thread(self._embedder.embed_query, text)
        return vector.astype("<f4").tobytes()

    async def close(self) -> None:
        return


class _Process:
    """A model in a process that is started by the first question and ends when it idles."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: Process | None = None
        self._one_at_a_time = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None

    async def ask(self, text: str) -> bytes:
        async with self._one_at_a_time:
            if self._idle is not None:
                self._idle.cancel()
            try:
                return await self._converse(text)
            except (OSError, asyncio.IncompleteReadError, msgspec.DecodeError) as error:
                await self.close()
                raise EmbeddingError("The process that embeds questions ended.") from error
            except asyncio.CancelledError:
                await self.close()  # its answer would be taken for the next question's
                raise
            finally:
                self._idle = asyncio.get_running_loop().call_later(IDLE_S, self._end)

    async def _converse(self, text: str) -> bytes:
        if self._process is None or self._process.returncode is not None:
            await self._start()
        answer = await self._exchange(text.encode("utf-8", "replace"))
        if answer.problem:
            raise EmbeddingError(answer.problem)
        return answer.vector

    async def _start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "brain.embedding.child"),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
        )
        answer = await self._exchange(msgspec.msgpack.encode(self._settings))
        if answer.problem:
            await self.close()
            raise EmbeddingError(answer.problem)

    async def _exchange(self, data: bytes) -> Answer:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise BrokenPipeError
        process.stdin.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
        await process.stdin.drain()
        head = await process.stdout.readexactly(LENGTH_BYTES)
        return _decode(await process.stdout.readexactly(int.from_bytes(head, "big")))

    def _end(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        self._process = None

    async def close(self) -> None:
        process = self._process
        if self._idle is not None:
            self._idle.cancel()
        self._end()
        if process is not None:
            await process.wait()
