import contextlib
import io
import sys
import threading

from brain.cli.waiting import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class StandInRemote:
    """One event, then silence until told."""

    def __init__(self):
        self.seen = threading.Event()
        self.hang_up = threading.Event()

    @contextlib.contextmanager
    def lines(self, _path):
        yield self._events()

    def _events(self):
        yield 'data: {"phase": "parsing", "done": 3, "total": 40}'
        self.seen.set()
        self.hang_up.wait(10)


def test_the_bar_is_gone_when_waiting_is_over_though_the_stream_says_nothing(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    remote = StandInRemote()

    progress = Progress(remote, "notes")
    with progress:
        assert remote.seen.wait(10)
        assert progress._bar.tasks[0].description == "notes: parsing"
        assert progress._bar.live.is_started

    assert not progress._bar.live.is_started
    remote.hang_up.set()


def test_nothing_is_shown_where_standard_error_is_no_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())

    with Progress(StandInRemote(), "notes") as progress:
        assert progress._bar is None
