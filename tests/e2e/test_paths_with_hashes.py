"""A ``#`` is an ordinary character in a path: what is listed can be read by the id it has."""

import pytest

from brain.testkit.repository import TestRepository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

FILES = {
    "README.md": "# Top\n\n[setup](C%23/intro.md#setup)\n",
    "C#/intro.md": "# Intro\n\n## Setup\n\nhashword\n",
    "a#b.md": "# Both\n",
    "x.md": "# X\n",
    "x.md#y.md": "# XY\n\n## R-01 Card\n\nhashword\n",
}


@pytest.fixture(scope="module")
def hashes(instance):
    repository = TestRepository(instance.data.parent / "hashes.git")
    repository.commit(FILES)
    instance.json("project", "add", "hashes", "--repo", str(repository.path), "--wait")
    yield instance
    instance.json("project", "remove", "hashes")


def test_every_listed_node_can_be_read(hashes):
    ids = [node["id"] for node in hashes.lines("outline", "hashes")]

    read = [hashes.json("read", "hashes", each)["node"]["id"] for each in ids]

    assert "x.md#y.md#R-01" in ids
    assert read == ids


def test_a_card_in_such_a_document_is_looked_up_by_its_id(hashes):
    found = hashes.json("lookup", "hashes", "R-01")["matches"]

    assert [match["id"] for match in found] == ["x.md#y.md#R-01"]


def test_links_to_such_a_document_are_listed(hashes):
    links = hashes.json("backlinks", "hashes", "C#/intro.md#setup")["items"]

    assert [link["node"]["id"] for link in links] == ["README.md#top"]


@pytest.mark.parametrize(
    ("under", "found"),
    [
        ("C#", ["C#/intro.md#setup"]),
        ("C#/intro.md", ["C#/intro.md#setup"]),
        ("C#/intro.md#setup", ["C#/intro.md#setup"]),
        ("x.md#y.md#R-01", ["x.md#y.md#R-01"]),
    ],
)
def test_grep_searches_below_such_a_path(hashes, under, found):
    matches = hashes.json("grep", "hashes", "hashword", "--under", under)["matches"]

    assert [match["nodeId"] for match in matches] == found
