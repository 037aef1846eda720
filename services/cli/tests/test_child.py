import pytest

from brain.cli import child as child_module
from brain.cli.child import Child, describe_exit
from brain.embedded.process import Program


@pytest.fixture
def child():
    return Child(Program("nats", ("true",), {}, bool))


def test_lines_are_put_together_from_pieces(child):
    assert child.take(b"one\ntw") == ["one"]
    assert child.take(b"o\r\n") == ["two"]
    assert child.flush() == []


def test_a_last_line_needs_no_line_end(child):
    child.take(b"cut sh")

    assert child.flush() == ["cut sh"]


def test_an_endless_line_is_cut(child, monkeypatch):
    monkeypatch.setattr(child_module, "LONGEST_LINE", 4)

    assert child.take(b"abcdef") == ["abcdef"]


def test_bytes_that_are_no_text_are_replaced(child):
    assert child.take(b"a\xff\n") == ["a\ufffd"]


def test_the_last_lines_are_remembered(child):
    child.take(b"".join(b"%d\n" % number for number in range(20)))

    assert list(child.tail) == [str(number) for number in range(8, 20)]


@pytest.mark.parametrize(("code", "sentence"), [(3, "ended with 3"), (-9, "was killed by SIGKILL")])
def test_an_exit_is_said_in_words(code, sentence):
    assert describe_exit(code) == sentence
