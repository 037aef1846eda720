"""Grep: folding, line ends, long lines, literal text, scopes and the cut."""

import httpx
import pytest

from brain.testkit.repository import TestRepository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

FILES = {
    "a/fold.md": "# Fold\n\nİSTANBUL\nSTRASSE\nstraße\nΟΔΥΣΣΕΥΣ ΣΣς\nﬁne\n",
    "a/crlf.md": "# CRLF\r\n\r\nends with carriage\r\nlast line\r\n",
    "a/literal.md": (
        '# Literal\n\n100% sure\nsnake_case_name\nC:\\path\\to\nsay "hello  there" twice\n'
        "a.*b\n(a+)+$\n[x](y.md)\n'; drop table x; --\n"
    ),
    "b/long.md": "x" * 1_000_000 + " needle " + "ß" * 500_000 + "z-end\n",
    "b/many.md": "# Many\n\n" + "".join(f"hit {number}\n" for number in range(200)),
    "b/more.md": "# More\n\nhit again\n",
    "c/nodes.md": (
        "# Top\n\nword in top\n\n## One\n\nword in one\n\n### Deep\n\nword in deep\n\n"
        "## C-01 Card\n\nword in card\n\n## Two\n\nword in two\n"
    ),
    "c.md": "# Same stem\n\nword in c\n",
}


@pytest.fixture(scope="module")
def grep(instance):
    repository = TestRepository(instance.data.parent / "greps.git")
    repository.commit(FILES)
    instance.json("project", "add", "greps", "--repo", str(repository.path), "--wait")
    reach = instance.reach
    client = httpx.Client(headers={"Authorization": f"Bearer {reach['token']}"}, timeout=60)

    def grep(text, **parameters):
        answer = client.get(
            f"{reach['restUrl']}/projects/greps/brain/grep", params={"text": text, **parameters}
        )
        return answer.json()

    yield grep
    client.close()
    instance.json("project", "remove", "greps")


def lines(answer) -> list[tuple[str, int]]:
    return [(match["path"], match["line"]) for match in answer["matches"]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("istanbul", []),
        ("i̇stanbul", [3]),
        ("İstanbul", [3]),
        ("strasse", [4, 5]),
        ("STRAßE", [4, 5]),
        ("σσσ", [6]),
        ("οδυσσευς", [6]),
        ("fine", [7]),
    ],
)
def test_case_is_folded_as_unicode_says(grep, text, found):
    assert lines(grep(text)) == [("a/fold.md", line) for line in found]


def test_case_counts_when_asked(grep):
    assert lines(grep("STRASSE", ignoreCase="false")) == [("a/fold.md", 4)]
    assert lines(grep("straße", ignoreCase="false")) == [("a/fold.md", 5)]


def test_line_ends_are_no_part_of_a_line(grep):
    answer = grep("ends carriage")

    assert lines(answer) == [("a/crlf.md", 3)]
    assert answer["matches"][0]["text"] == "ends with carriage"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("100%", 3),
        ("snake_case_name", 4),
        ("C:\\path\\to", 5),
        ('say "hello', 6),
        ('"hello  there"', 6),
        ("a.*b", 7),
        ("(a+)+$", 8),
        ("[x](y.md)", 9),
        ("'; drop table x; --", 10),
    ],
)
def test_every_character_means_itself(grep, text, line):
    assert lines(grep(text)) == [("a/literal.md", line)]


@pytest.mark.parametrize("text", ["100_", "snake%name", "a.+b", '"hello there"', "^#"])
def test_no_character_is_a_pattern(grep, text):
    assert lines(grep(text)) == []


def test_a_phrase_keeps_its_spaces(grep):
    assert lines(grep("hello  there", phrase="true")) == [("a/literal.md", 6)]
    assert lines(grep("there hello")) == [("a/literal.md", 6)]
    assert lines(grep("there hello", phrase="true")) == []


@pytest.mark.parametrize("text", ["", " ", '""', "x", "x y z", '"  "', " ".join(["ab"] * 17)])
def test_texts_that_say_too_little_or_too_much_are_refused(grep, text):
    answer = grep(text)

    assert answer.get("status") == 400 or answer["matches"] == []


@pytest.mark.parametrize("needle", ["needle", "z-end", "ssz-end"])
def test_a_line_of_two_megabytes_is_cut_around_what_matched(grep, needle):
    (match,) = grep(needle)["matches"]

    assert (match["path"], match["line"]) == ("b/long.md", 1)
    assert needle.replace("ss", "ß") in match["text"]
    assert len(match["text"]) <= 500


def test_the_first_fifty_come_in_path_and_line_order(grep):
    answer = grep("hit")

    assert lines(answer) == [("b/many.md", number) for number in range(3, 53)]
    assert answer["truncated"] is True


@pytest.mark.parametrize(
    ("under", "found"),
    [
        (
            "",
            [
                "c.md:3",
                "c/nodes.md:3",
                "c/nodes.md:7",
                "c/nodes.md:11",
                "c/nodes.md:15",
                "c/nodes.md:19",
            ],
        ),
        ("c", ["c/nodes.md:3", "c/nodes.md:7", "c/nodes.md:11", "c/nodes.md:15", "c/nodes.md:19"]),
        (
            "/c/",
            ["c/nodes.md:3", "c/nodes.md:7", "c/nodes.md:11", "c/nodes.md:15", "c/nodes.md:19"],
        ),
        ("c.md", ["c.md:3"]),
        ("c/nodes.md#one", ["c/nodes.md:7", "c/nodes.md:11"]),
        ("c/nodes.md#deep", ["c/nodes.md:11"]),
        ("c/nodes.md#C-01", ["c/nodes.md:15"]),
        ("c/nodes.md#c-01-card", ["c/nodes.md:15"]),
        ("c/nodes.md#two", ["c/nodes.md:19"]),
        ("absent/", []),
    ],
)
def test_under_a_folder_a_document_or_a_node(grep, under, found):
    answer = grep("word", under=under)

    assert [f"{path}:{line}" for path, line in lines(answer)] == found


def test_under_an_anchor_that_is_not_there(grep):
    assert grep("word", under="c/nodes.md#absent")["code"] == "no-such-node"


def test_each_line_belongs_to_its_deepest_node(grep):
    assert [match["nodeId"] for match in grep("word", under="c/nodes.md")["matches"]] == [
        "c/nodes.md#top",
        "c/nodes.md#one",
        "c/nodes.md#deep",
        "c/nodes.md#C-01",
        "c/nodes.md#two",
    ]
