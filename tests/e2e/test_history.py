"""Changes, citations, broken links, backlinks and healed ids over a small history."""

import pytest

from brain.testkit.repository import TestRepository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

FIRST = {
    "README.md": "# Guide\n\nSee [rules](rules.md#r-01-prices) and [gone](old.md).\n",
    "rules.md": "# Rules\n\n## R-01 Prices\n\nPrices agree.\nAlways.\n\n## Dates\n\nDates agree.\n",
    "old.md": "# Old\n\nOne.\nTwo.\nThree.\n",
    "wages.md": "# Wages\n\nSeven.\nEight.\n",
    "lists/INDEX.md": "# All lists\n",
    "lists/README.md": "# Read me\n\nSee [wages](../wages.md).\n",
    "restricted/pay.md": "# Pay\n\nNine.\n",
    "late.md": "# Late\n\nThis line stays.\n",
    "open.md": "# Open\n\nNo line end",
}
#: What became of a document step by step, and no longer looks like a rename from end to end.
GROWN = "# Late\n\n" + "".join(f"Line {number}.\n" for number in range(40)) + "This line stays.\n"
BETWEEN = {path: text for path, text in FIRST.items() if path != "late.md"} | {
    "moved/late.md": FIRST["late.md"]
}
SECOND = {
    "README.md": FIRST["README.md"],
    "rules.md": (
        "# Rules\n\nA new line.\n\n## R-01 Prices\n\nPrices agree.\nAlways.\n\n"
        "## Due dates\n\nDates agree, mostly.\n"
    ),
    "moved/old.md": FIRST["old.md"],
    "added.md": "# Added\n\nMore on R-01.\n",
    "lists/INDEX.md": FIRST["lists/INDEX.md"],
    "lists/README.md": FIRST["lists/README.md"],
    "restricted/pay.md": FIRST["restricted/pay.md"],
    "restricted/wages.md": FIRST["wages.md"],
    "moved/late.md": GROWN,
    "open.md": "# Open\n\nNo line end\n",
}


@pytest.fixture(scope="module")
def story(instance):
    repository = TestRepository(instance.data.parent / "story.git")
    first = repository.commit(FIRST)
    instance.json("project", "add", "story", "--repo", str(repository.path), "--wait")
    repository.commit(BETWEEN)
    repository.commit(SECOND)
    instance.json("build", "story", "--wait")
    return first


def test_changes_name_documents_lines_and_sections(instance, story):
    answer = instance.json("changes", "story", "--since", story)

    shown = {each["path"]: each for each in answer["documents"]}
    assert {path: each["status"] for path, each in shown.items()} == {
        "added.md": "added",
        "late.md": "deleted",
        "moved/late.md": "added",
        "moved/old.md": "renamed",
        "open.md": "modified",
        "rules.md": "modified",
        "wages.md": "deleted",
    }
    assert shown["moved/old.md"]["oldPath"] == "old.md"
    assert (shown["rules.md"]["added"], shown["rules.md"]["removed"]) == (4, 2)
    assert [(part["nodeId"], part["status"]) for part in shown["rules.md"]["sections"]] == [
        ("rules.md#rules", "modified"),
        ("rules.md#due-dates", "added"),
        ("rules.md#dates", "deleted"),
    ]
    assert answer["linesKnown"] is True
    assert answer["renames"] == "complete"


def test_changes_since_an_unknown_commit_are_not_found(instance, story):
    assert instance.problem("changes", "story", "--since", "0" * 40)["code"] == "no-such-commit"


@pytest.mark.parametrize(
    ("path", "lines", "state", "place"),
    [
        ("rules.md", "1-1", "same", ("rules.md", 1, 1)),
        ("rules.md", "5-6", "moved", ("rules.md", 7, 8)),
        ("rules.md", "8-10", "edited", ("rules.md", 10, 12)),
        ("old.md", "3-4", "moved", ("moved/old.md", 3, 4)),
        ("late.md", "3-3", "moved", ("moved/late.md", 43, 43)),
        ("open.md", "3-3", "same", ("open.md", 3, 3)),
    ],
)
def test_a_citation_is_found_again(instance, story, path, lines, state, place):
    answer = instance.json(
        "cite", "story", "--path", path, "--lines", lines, "--commit", story[:10]
    )

    assert answer["state"] == state
    assert (answer["path"], answer["lineStart"], answer["lineEnd"]) == place


def test_broken_links_say_what_broke_them(instance, story):
    answer = instance.json("broken", "story", "--causes-from", "0")

    assert [
        (link["from"], link["target"], link["kind"], link["cause"]["likelyTarget"])
        for link in answer["links"]
    ] == [
        ("README.md", "old.md", "link", "moved/old.md"),
        ("lists/README.md", "../wages.md", "link", None),
    ]


def test_history_tells_nothing_of_what_is_restricted(instance, story):
    gone = instance.json("cite", "story", "--path", "wages.md", "--lines", "3-4", "--commit", story)
    hidden = instance.problem(
        "cite", "story", "--path", "restricted/pay.md", "--lines", "1-1", "--commit", story
    )
    nowhere = instance.problem(
        "cite", "story", "--path", "restricted/none.md", "--lines", "1-1", "--commit", story
    )

    assert (gone["state"], gone["path"], gone["lineStart"]) == ("gone", "wages.md", None)
    assert hidden == nowhere
    assert "restricted" not in instance.problem("read", "story", "wages.md")["detail"]


def test_a_folder_reads_as_the_document_that_stands_first_in_it(instance, story):
    tree = instance.json("tree", "story", "lists")
    read = instance.json("read", "story", "lists")

    assert tree["children"][0]["id"] == "lists/README.md"
    assert read["citation"]["path"] == "lists/README.md"


def test_backlinks_of_a_page_count_links_to_its_cards(instance, story):
    page = instance.json("backlinks", "story", "rules.md")
    card = instance.json("backlinks", "story", "rules.md#R-01")

    assert [item["node"]["id"] for item in page["items"]] == ["README.md#guide", "added.md#added"]
    assert [item["linkKind"] for item in card["items"]] == ["link", "mention"]
    assert page["items"][0]["target"] == "rules.md#R-01"
    assert instance.problem("backlinks", "story", "/")["code"] == "bad-request"


@pytest.mark.parametrize(
    ("asked", "now"),
    [("old.md", "moved/old.md"), ("rules.md#dates", "rules.md#due-dates")],
)
def test_an_old_node_id_still_resolves(instance, story, asked, now):
    answer = instance.json("read", "story", asked)

    assert answer["movedTo"] == now
    assert answer["citation"]["nodeId"] == now


def test_documents_and_folders_carry_their_last_change(instance, story):
    answer = instance.json("tree", "story", "/")
    children = {child["id"]: child for child in answer["children"]}

    assert children["README.md"]["changed"]["commit"] == story
    assert children["moved/"]["changed"]["commit"] == answer["commit"]
    assert answer["node"]["changed"]["commit"] == answer["commit"]
