import pytest

from brain.tree.config import TreeConfig
from brain.tree.parse import parse_document
from brain.tree.place import place_document
from brain.tree.reference import Definition, Reference
from brain.tree.resolve import Target, find_anchor, keys_naming, outside_keys, resolve_reference


def stem(path: str) -> Definition:
    return Definition("name:x", "stem", path, "")


def alias(path: str) -> Definition:
    return Definition("name:x", "alias", path, "")


def wikilink(target: str) -> Reference:
    return Reference("wikilink", 0, 1, "name:x", "", target)


def resolve(reference: Reference, definitions: list[Definition]) -> tuple[Target, ...]:
    return resolve_reference(reference, "b/from.md", "", definitions)


def test_a_wikilink_takes_the_same_folder_then_the_shortest_path_then_the_alphabet():
    stems = [stem("c/deep/x.md"), stem("d/x.md"), stem("a/x.md"), stem("b/X.md")]

    assert resolve(wikilink("x"), stems) == (
        Target("b/X.md", "", ("b/X.md", "a/x.md", "d/x.md", "c/deep/x.md")),
    )
    assert resolve(wikilink("x"), stems[:1]) == (Target("c/deep/x.md", ""),)


def test_an_alias_counts_only_without_a_stem():
    assert resolve(wikilink("x"), [alias("a/q.md"), stem("z/x.md")]) == (Target("z/x.md", ""),)
    assert resolve(wikilink("x"), [alias("a/q.md")]) == (Target("a/q.md", ""),)


@pytest.mark.parametrize(
    ("target", "path"),
    [("a/x", "a/x.md"), ("a/X.md", "a/x.md"), ("sub/x", "b/sub/x.md"), ("../a/x#H", "a/x.md")],
)
def test_a_wikilink_with_a_slash_names_a_path(target: str, path: str):
    definitions = [stem("a/x.md"), stem("b/sub/x.md"), stem("b/x.md")]

    assert resolve(wikilink(target), definitions) == (Target(path, ""),)


def test_a_wikilink_finds_a_file_that_is_not_indexed_last_and_without_rivals():
    drafts = [Definition("name:x", "outside", path, "") for path in ("b/x.md", "scratch/a/x.md")]

    assert resolve(wikilink("x"), drafts) == (Target("b/x.md", ""),)
    assert resolve(wikilink("a/x"), drafts) == (Target("scratch/a/x.md", ""),)
    assert resolve(wikilink("x"), [*drafts, stem("c/x.md")]) == (Target("c/x.md", ""),)
    assert resolve(wikilink("x"), [*drafts, alias("c/q.md")]) == (Target("c/q.md", ""),)


def test_the_name_of_a_restricted_file_is_not_defined():
    assert [each.key for each in outside_keys("scratch/Pay.md")] == [
        "path:scratch/Pay.md",
        "name:pay",
    ]
    assert [each.key for each in outside_keys("a/Restricted/pay.md")] == [
        "path:a/Restricted/pay.md"
    ]


def test_a_wikilink_with_a_slash_names_no_other_path():
    assert resolve(wikilink("q/x"), [stem("a/x.md")]) == ()


def test_a_folder_means_its_readme_or_index():
    link = Reference("link", 0, 1, "path:docs", "", "docs/")
    definitions = [
        Definition("path:docs", "path", f"docs/{name}", "")
        for name in ("index.md", "readme.md", "README.md")
    ]

    assert resolve(link, definitions) == (Target("docs/README.md", ""),)
    assert resolve(link, definitions[:1]) == (Target("docs/index.md", ""),)
    assert resolve(link, []) == ()


def test_a_mention_links_to_one_to_three_other_nodes():
    mention = Reference("mention", 0, 1, "id:R-01", "", "R-01")
    defining = [Definition("id:R-01", "id", path, "R-01") for path in ("a.md", "c.md", "d.md")]
    own = Definition("id:R-01", "id", "b/from.md", "")

    assert resolve(mention, [own]) == ()
    assert resolve(mention, [own, *defining]) == (
        Target("a.md", "R-01"),
        Target("c.md", "R-01"),
        Target("d.md", "R-01"),
    )
    assert resolve(mention, [*defining, Definition("id:R-01", "id", "e.md", "R-01")]) == ()


def test_a_document_is_named_by_path_folder_stem_alias_and_ids():
    text = b"---\nid: ADR-0001\naliases: [Start, 'Here We Go']\n---\n# R-01 Card\n"
    row = place_document(parse_document(text, TreeConfig()), "docs/README.md", "0")

    assert [(each.key, each.anchor) for each in keys_naming(row)] == [
        ("path:docs/README.md", ""),
        ("path:docs", ""),
        ("name:readme", ""),
        ("name:start", ""),
        ("name:here we go", ""),
        ("id:ADR-0001", ""),
        ("id:R-01", "R-01"),
    ]


TEXT = '# Top\n\n## R-01 The: Rule\n\n<a name="old"></a>\n\n## \N{GRINNING FACE} Hi\n'
ROW = place_document(parse_document(TEXT.encode(), TreeConfig()), "a.md", "0")


@pytest.mark.parametrize(
    ("fragment", "number"),
    [("", 0), ("top", 1), ("R-01", 2), ("r-01-the-rule", 2), ("-hi", 3), ("old", 2), ("L10-L12", 0),
     ("user-content-r-01-the-rule", 2), ("user-content-old", 2), ("user-content-x", None),
     ("R-01 The: Rule", None), ("TOP-", None), ("nothing", None), ("😀-hi", None)],
)  # fmt: skip
def test_the_fragment_of_a_link_is_compared_as_it_is(fragment: str, number: int | None):
    assert find_anchor(ROW.nodes, fragment, "link", "github", ROW.html_anchors) == number


@pytest.mark.parametrize(
    ("fragment", "number"),
    [("r-01 the rule", 2), ("R-01 The: Rule?", 2), ("^block", 0), ("x", None)],
)
def test_the_fragment_of_a_wikilink_may_be_heading_text(fragment: str, number: int | None):
    assert find_anchor(ROW.nodes, fragment, "wikilink", "github") == number


def test_a_wikilink_with_a_slash_may_name_the_end_of_a_path():
    stems = [stem("c/d/a/x.md"), stem("z/A/X.md"), stem("q/aa/x.md")]

    assert resolve(wikilink("a/x"), stems) == (Target("z/A/X.md", "", ("z/A/X.md", "c/d/a/x.md")),)
    assert resolve(wikilink("a/x"), [*stems, stem("a/x.md")]) == (Target("a/x.md", ""),)
    assert resolve(wikilink("/a/x"), stems) == ()
    assert resolve(wikilink("../a/x"), stems) == ()
