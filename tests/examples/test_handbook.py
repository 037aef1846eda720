"""The example that ships with the product stays whole: newcomers meet it first."""

from pathlib import Path

import pytest

from brain.tree.config import parse_config
from brain.tree.inclusion import judge_entry
from brain.tree.parse import parse_document
from brain.tree.place import place_document
from brain.tree.resolve import find_anchor, keys_naming, path_keys, resolve_reference

HANDBOOK = Path(__file__).parents[2] / "examples" / "handbook"


@pytest.fixture(scope="module")
def config():
    config, warnings = parse_config((HANDBOOK / ".brain/config.yaml").read_bytes())
    assert warnings == ()
    return config


@pytest.fixture(scope="module")
def rows(config):
    indexed = {}
    for file in HANDBOOK.rglob("*.md"):
        path = file.relative_to(HANDBOOK).as_posix()
        if judge_entry(path.encode(), 0o100644, 1).reason is None:
            indexed[path] = place_document(parse_document(file.read_bytes(), config), path, "0")
    return indexed


@pytest.fixture(scope="module")
def definitions(rows):
    by_key = {}
    for row in rows.values():
        for definition in keys_naming(row):
            by_key.setdefault(definition.key, []).append(definition)
    for file in HANDBOOK.rglob("*.md"):
        path = file.relative_to(HANDBOOK).as_posix()
        if path not in rows:
            for definition in path_keys(path):
                by_key.setdefault(definition.key, []).append(definition)
    return by_key


def test_forty_four_documents_are_indexed_and_two_are_not(rows):
    assert len(rows) == 44
    assert len(list(HANDBOOK.rglob("*.md"))) == 46


def test_only_the_link_that_is_broken_on_purpose_is_broken(rows, definitions, config):
    broken = []
    for row in rows.values():
        for reference in row.references:
            if reference.kind == "mention":
                continue
            anchor = row.nodes[reference.node].anchor
            found = resolve_reference(
                reference, row.path, anchor, definitions.get(reference.key, ())
            )
            target = rows.get(found[0].path) if found else None
            if target is None or (
                find_anchor(
                    target.nodes,
                    reference.fragment,
                    reference.kind,
                    config.dialect,
                    target.html_anchors,
                )
                is None
            ):
                broken.append((row.path, reference.target))

    assert broken == [("conventions/writing.md", "not-written-yet.md")]


def test_no_wikilink_is_ambiguous(rows, definitions):
    for row in rows.values():
        for reference in row.references:
            anchor = row.nodes[reference.node].anchor
            for target in resolve_reference(
                reference, row.path, anchor, definitions.get(reference.key, ())
            ):
                assert target.candidates == (), (row.path, reference.target)


def test_every_mentioned_rule_is_defined(rows, definitions):
    mentioned = {
        reference.key
        for row in rows.values()
        for reference in row.references
        if reference.kind == "mention"
    }

    assert mentioned - set(definitions) == set()
    assert "id:R-05" in mentioned
    assert "id:REP-01" in mentioned


def test_no_document_has_a_warning(rows):
    assert {row.path: row.warnings for row in rows.values() if row.warnings} == {}
