"""Documents that hold what is not for readers: NUL, malformed UTF-8, front matter."""

import pytest

from brain.testkit.repository import TestRepository
from tests.e2e.test_bundles import Mcp, Rest

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

STRANGE = b"# Nul \x00 title\n\nA zebra\x00crossing is \xff painted \xed\xa0\x80 white.\n"
SHOWN = "A zebra\ufffdcrossing is \ufffd painted \ufffd\ufffd\ufffd white."
PLACE = "/api/projects/strange/brain"


@pytest.fixture(scope="module")
def rest(instance):
    made = TestRepository(instance.data.parent / "strange.git")
    made.commit(
        {
            "domain/strange.md": STRANGE,
            "domain/quince.md": "---\ntitle: Quinces\nsummary: Where quinces are grown.\n"
            "labels: [fruit]\n---\n# Quinces\n\n## Harvest\n\nIn October.\n",
            "domain/pear.md": "---\ntitle: Pears\nlabels: [fruit]\n---\nPears ripen inside.\n",
        }
    )
    instance.json("project", "add", "strange", "--repo", str(made.path), "--wait")
    yield Rest(instance.reach)
    instance.json("project", "remove", "strange")


def test_a_bundle_shows_replacement_characters_and_is_kept(rest):
    made = rest.post(f"{PLACE}/bundle", task="painted white").json()

    assert SHOWN in made["text"]
    replayed = rest.get(f"{PLACE}/bundle/{made['bundleId']}/replay")
    assert replayed.json()["text"] == made["text"]


def test_every_read_shows_the_same(instance, rest):
    mcp = Mcp(instance.reach)

    node = rest.get(f"{PLACE}/node", node="domain/strange.md", scope="subtree").json()
    document = rest.get("/api/docs/domain/strange.md", project="strange").json()
    found = rest.get("/api/search", q="painted white", project="strange").json()
    lines = rest.get(f"{PLACE}/grep", text="painted").json()["matches"]
    agents = mcp.call("compile_bundle", task_description="painted white", project_id="strange")

    assert SHOWN in node["text"]
    assert SHOWN in document["content"]
    assert SHOWN in found["chunks"][0]["content"]
    assert lines[0]["text"] == SHOWN
    assert SHOWN in agents["content"][0]["text"]


@pytest.mark.parametrize(
    ("word", "snippets"),
    [
        ("quinces", {"quinces": "Harvest", "harvest": "In October."}),
        ("pears", {"domain/pear.md": "Pears ripen inside."}),
    ],
)
def test_a_snippet_is_prose_and_else_a_summary(rest, word, snippets):
    hits = rest.get(f"{PLACE}/search", q=word).json()["hits"]

    shown = {hit["nodeId"].removeprefix("domain/quince.md#"): hit["snippet"] for hit in hits}
    assert shown == snippets
