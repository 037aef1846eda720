import io

from brain.cli.report import counted, harmless


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_is_not_steered_by_a_document():
    text = "a\x1b]52;c;cm0=\x07b\x1b[2Jc\x9b31md\x1b[8me\rf\u202eg\x1b[1;31mh"

    assert harmless(text, Terminal()) == (
        "a\ufffd]52;c;cm0=\ufffdb\ufffd[2Jc\ufffd31md\ufffd[8me\ufffdf\ufffdg\ufffd[1;31mh"
    )


def test_line_ends_tabs_and_our_own_styles_stay():
    text = "\x1b[36mid\x1b[0m\tx\r\ny\n"

    assert harmless(text, Terminal()) == text


def test_a_program_gets_the_bytes_of_git():
    assert harmless("\x1b[2J\r", io.StringIO()) == "\x1b[2J\r"


def test_one_of_a_thing_is_written_in_the_singular():
    assert counted(1, "document") == "1 document"
    assert counted(0, "document") == "0 documents"
    assert counted(6_278, "document") == "6,278 documents"
