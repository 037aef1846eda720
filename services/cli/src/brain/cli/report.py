"""What ``brain up`` tells its caller: steps, then one object; or why not."""

import json
import os
import re
import sys
from typing import Protocol, TextIO

from brain.cli.instance import Instance

#: What moves a cursor, writes a clipboard or turns text around, but for the styles we set.
_STEERING = re.compile(
    "\x1b(?!\\[(?:0|1|2|31|32|36)m)|\r(?!\n)"
    "|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


class Reporter(Protocol):
    """Receives the course of a start."""

    def step(self, name: str, seconds: float) -> None:
        """A process became ready, or a preparing step was done."""

    def ready(self, instance: Instance, *, already: bool) -> None:
        """The instance serves; ``already`` when an earlier start did it."""

    def failed(self, code: str, message: str) -> None:
        """It could not be started."""


class TerminalReporter:
    """Reports to people, or as JSON: the answer on standard output, all else on standard error.

    Args:
        as_json: one object instead of sentences; no steps.
        detached: how the instance is stopped, for the closing hint.
    """

    def __init__(self, *, as_json: bool, detached: bool) -> None:
        self._as_json = as_json
        self._detached = detached

    def step(self, name: str, seconds: float) -> None:
        """Show a step and how long it took."""
        if not self._as_json:
            mark = styled("✓" if _speaks_unicode(sys.stderr) else "ok", "32", sys.stderr)
            print(f"  {mark} {name:<10}{seconds:6.2f} s", file=sys.stderr, flush=True)

    def ready(self, instance: Instance, *, already: bool) -> None:
        """Print the one object, or the block for people."""
        if self._as_json:
            print(json.dumps(instance.summary()), flush=True)
            return
        print(ready_block(instance, already=already, detached=self._detached), flush=True)

    def failed(self, code: str, message: str) -> None:
        """Print why, on standard error."""
        print_error(code, message, as_json=self._as_json)


class PipeReporter:
    """Reports to the process that started us detached, one JSON object a line, then lets it go."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def step(self, name: str, seconds: float) -> None:
        """Pass a step on."""
        self._send({"event": "step", "name": name, "seconds": seconds})

    def ready(self, instance: Instance, *, already: bool) -> None:
        """Pass the instance on and hang up."""
        self._send({"event": "ready", "instance": list(instance), "already": already})
        self._hang_up()

    def failed(self, code: str, message: str) -> None:
        """Pass the reason on and hang up."""
        self._send({"event": "failed", "code": code, "message": message})
        self._hang_up()

    def _send(self, event: dict[str, object]) -> None:
        if self._descriptor is None:
            return
        try:
            os.write(self._descriptor, json.dumps(event).encode() + b"\n")
        except OSError:
            self._hang_up()  # nobody waits any more

    def _hang_up(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def ready_block(instance: Instance, *, already: bool, detached: bool) -> str:
    """Write what a person needs to go on."""
    rows = {
        "REST": instance.rest_url,
        "MCP": instance.mcp_url,
        "Token": instance.token,
        "Data": instance.data_folder,
    }
    title = "Brain is already running" if already else "Brain is ready"
    hint = "Stop it with: brain down" if already or detached else "Stop it with Ctrl-C"
    bold = styled(title, "1", sys.stdout)
    table = "\n".join(f"    {name:<7}{value}" for name, value in rows.items())
    return f"\n  {bold}\n\n{table}\n\n  {hint}\n"


def print_error(code: str, message: str, *, as_json: bool) -> None:
    """Print a problem on standard error: one object, or one line for people."""
    if as_json:
        print(json.dumps({"code": code, "detail": message}), file=sys.stderr, flush=True)
        return
    label = styled("brain:", "31", sys.stderr)
    print(f"{label} {message}", file=sys.stderr, flush=True)


def colored(stream: TextIO) -> bool:
    """Tell whether a stream shows colours."""
    return stream.isatty()


def styled(text: str, style: str, stream: TextIO) -> str:
    """Wrap a text in an ANSI style, such as ``1`` for bold, where the stream shows it."""
    return f"\x1b[{style}m{text}\x1b[0m" if colored(stream) else text


def harmless(text: str, stream: TextIO) -> str:
    """Replace what would steer a terminal by U+FFFD, where the stream is one.

    Documents are written by others. Anywhere but on a terminal the text stays as Git has it, so
    that a program which reads it gets the same bytes.
    """
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", text) if stream.isatty() else text


def counted(count: int, noun: str) -> str:
    """Write how many there are, such as ``1 document`` or ``6,278 documents``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _speaks_unicode(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "") == "utf8"
