"""Every command of the table, with its fields, against a real instance."""

import json

import httpx
import pytest

from brain.testkit.repository import TestRepository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

NODE_FIELDS = {
    "id",
    "kind",
    "title",
    "summary",
    "summarySource",
    "path",
    "lineStart",
    "ownLineEnd",
    "lineEnd",
    "tokens",
    "childCount",
}


def test_up_reports_where_it_is_reached(instance):
    again = instance.json("up")

    assert {"restUrl", "mcpUrl", "token", "dataDir"} <= set(again)
    assert again["token"] == instance.reach["token"]


def test_status_names_services_and_projects(instance, handbook):
    status = instance.json("status")

    assert {each["name"] for each in status["services"]} == {"postgres", "nats", "host"}
    assert all({"name", "state", "pid"} <= set(each) for each in status["services"])
    project = next(each for each in status["projects"] if each["id"] == "handbook")
    assert project["state"] == "ready"
    assert project["counts"]["documents"] == 2
    assert project["leftOut"] == {"restricted": 1}
    assert {"reason", "branch", "commit", "tip", "behindBy", "error", "vectorsPending"} <= set(
        project
    )


def test_a_build_waits_until_the_fetched_tip_is_indexed(instance, handbook):
    built = instance.json("build", "handbook", "--whole", "--wait")

    assert built["state"] == "ready"
    assert built["commit"] == built["tip"]
    assert built["lastBuild"]["kind"] == "whole"


def test_tree_shows_a_node_and_its_children(instance, handbook):
    answer = instance.json("tree", "handbook", "/", "--depth", "2")

    assert {"commit", "breadcrumb", "node", "children", "total", "nextOffset"} <= set(answer)
    assert [child["id"] for child in answer["children"]] == ["rules/", "README.md"]
    assert set(answer["node"]) >= NODE_FIELDS
    assert [each["id"] for each in answer["children"][0]["children"]] == ["rules/review.md"]


def test_tree_pages_by_offset(instance, handbook):
    first = instance.json("tree", "handbook", "/", "--limit", "1")
    second = instance.json("tree", "handbook", "/", "--limit", "1", "--offset", "1")

    assert first["nextOffset"] == 1
    assert second["children"][0]["id"] == "README.md"
    assert second["nextOffset"] is None


def test_tree_shows_the_children_that_match_words(instance, handbook):
    words = "which change is read before a merge"
    answer = instance.json("tree", "handbook", "--words", "prices", "--limit", "1")
    following = instance.json(
        "tree", "handbook", "--words", "prices", "--limit", "1", "--cursor", answer["nextCursor"]
    )
    told = instance.run("tree", "handbook", "--words", words)

    assert answer["children"][0]["id"] == "rules/"
    assert answer["children"][0]["best"][0]["path"] == "rules/review.md"
    assert (answer["matching"], following["nextCursor"]) == (2, None)
    assert told.returncode == 0
    for refused in (" ", "x" * 10_000, "\udcff"):
        assert instance.problem("tree", "handbook", "--words", refused)["code"] == "bad-request"


def test_outline_lists_every_node_in_tree_order(instance, handbook):
    nodes = instance.lines("outline", "handbook")

    assert [node["id"] for node in nodes] == [
        "/",
        "rules/",
        "rules/review.md",
        "rules/review.md#review-rules",
        "rules/review.md#R-01",
        "rules/review.md#R-02",
        "README.md",
        "README.md#handbook",
    ]
    assert all(set(node) >= NODE_FIELDS | {"parent"} for node in nodes)


def test_read_gives_the_lines_git_gives(instance, handbook):
    answer = instance.json("read", "handbook", "rules/review.md#R-01")
    citation = answer["citation"]

    lines = handbook.show(citation["commit"], citation["path"]).decode().split("\n")
    cited = "\n".join(lines[citation["lineStart"] - 1 : citation["lineEnd"]])
    assert answer["text"] == cited
    assert answer["text"].startswith("## R-01 Prices")
    assert answer["incomingTotal"] == 2
    assert [link["id"] for link in answer["incoming"]] == [
        "README.md#handbook",
        "rules/review.md#R-02",
    ]


def test_read_continues_at_a_line(instance, handbook):
    answer = instance.json("read", "handbook", "rules/review.md", "--from-line", "12")

    assert answer["text"].startswith("Prices agree.")


def test_lookup_finds_a_card_by_its_id(instance, handbook):
    answer = instance.json("lookup", "handbook", "R-01")

    assert [match["id"] for match in answer["matches"]] == ["rules/review.md#R-01"]
    assert [crumb["id"] for crumb in answer["matches"][0]["breadcrumb"]][:2] == ["/", "rules/"]


def test_grep_finds_words_in_any_order_in_their_deepest_node(instance, handbook):
    answer = instance.json("grep", "handbook", "AGREE dates")

    assert answer["matches"] == [
        {
            "nodeId": "rules/review.md#R-02",
            "path": "rules/review.md",
            "line": 16,
            "text": "Dates agree with R-01.",
        }
    ]
    assert answer["truncated"] is False


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (["agree", "--space", "OPS"], 2),
        (["agree", "--space", "other"], 0),
        (["agree", "--label", "quality"], 2),
        (["agree", "--under", "README.md"], 0),
        (["Prices agree", "--phrase"], 1),
        (["prices agree", "--phrase", "--case"], 0),
        (["secret-word"], 0),
    ],
)
def test_grep_narrows_before_it_cuts(instance, handbook, words, lines):
    assert len(instance.json("grep", "handbook", *words)["matches"]) == lines


def test_a_rebuild_dumps_the_same_bytes(instance, handbook):
    before = instance.run("dump", "handbook").stdout
    instance.json("build", "handbook", "--whole", "--wait")

    assert instance.run("dump", "handbook").stdout == before
    assert json.loads(before.splitlines()[0])["table"] == "index"


def test_commits_appear_by_themselves(instance):
    repository = TestRepository(instance.data.parent / "moving.git")
    repository.commit({"a.md": "# First\n"})
    instance.json("project", "add", "moving", "--repo", str(repository.path), "--wait")
    commit = repository.commit({"a.md": "# Second\n"})

    reach = instance.reach
    answer = httpx.get(
        f"{reach['restUrl']}/projects/moving/brain/tree",
        params={"waitFor": commit},
        headers={"Authorization": f"Bearer {reach['token']}"},
        timeout=60,
    ).json()
    assert answer["children"][0]["title"] == "Second"
    assert instance.json("project", "remove", "moving")["state"] == "removed"
    assert instance.problem("status", "moving")["code"] == "not-found"


def test_a_project_that_cannot_be_read_says_why(instance):
    problem = instance.problem("project", "add", "gone", "--repo", "/no/such/place", "--wait")

    assert problem["code"] == "not-a-repository"
    instance.json("project", "remove", "gone")


def test_tokens_are_made_listed_and_revoked(instance, handbook):
    made = instance.json("token", "create", "reader", "--project", "handbook")

    assert instance.run("tree", "handbook", "--token", made["token"]).returncode == 0
    assert instance.run("project", "remove", "handbook", "--token", made["token"]).returncode == 1
    listed = instance.json("token", "list")["tokens"]
    assert made["id"] in [each["id"] for each in listed]
    assert "token" not in listed[0]
    assert instance.json("token", "revoke", made["id"])["revoked"] is True
    assert instance.problem("token", "revoke", made["id"])["code"] == "no-such-token"
    assert instance.problem("tree", "handbook", "--token", made["token"])["code"] == (
        "unauthenticated"
    )


def test_a_plain_folder_becomes_a_project(instance, tmp_path):
    folder = tmp_path / "My Notes"
    folder.mkdir()
    (folder / "one.md").write_text("# One\n")

    first = instance.json("index", str(folder))
    (folder / "two.md").write_text("# Two\n")
    second = instance.json("index", str(folder))

    assert first["id"] == "my-notes"
    assert second["counts"]["documents"] == 2
    assert second["commit"] != first["commit"]


def test_usage_errors_exit_with_two(instance):
    assert instance.run("tree").returncode == 2
    assert instance.run("nosuch").returncode == 2


def test_version_is_printed(instance):
    assert instance.json("version")["version"]


def test_a_node_without_a_line_of_its_own_has_no_citation(instance):
    repository = TestRepository(instance.data.parent / "lineless.git")
    repository.commit({"a.md": "# A\n\n## B\n\nb\n", "empty.md": ""})
    instance.json("project", "add", "lineless", "--repo", str(repository.path), "--wait")

    document = instance.json("read", "lineless", "a.md", "--scope", "node")
    empty = instance.json("read", "lineless", "empty.md")
    whole = instance.json("read", "lineless", "a.md")
    instance.json("project", "remove", "lineless")

    assert (document["text"], document["citation"]) == ("", None)
    assert (empty["text"], empty["citation"]) == ("", None)
    assert whole["citation"]["lineEnd"] == 5
