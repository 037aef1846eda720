import pytest

from brain.tree.config import TreeConfig, parse_config


def test_the_layout_is_read_in_order():
    config, warnings = parse_config(
        b"dialect: github\nlayout:\n  rules/: business  rules\n  /a/b: c\n"
    )

    assert config == TreeConfig("github", (("rules", "business rules"), ("a/b", "c")))
    assert warnings == ()


@pytest.mark.parametrize(
    ("data", "warning"),
    [
        (b"a: b: c", ".brain/config.yaml, line 1: mapping values are not allowed in this context"),
        (b"- a", ".brain/config.yaml: is no mapping"),
        (b"colour: red", ".brain/config.yaml: unknown key 'colour'"),
        (
            b"dialect: klingon",
            (
                ".brain/config.yaml: dialect must be one of docusaurus, gitea, github, gitlab, "
                "mkdocs, obsidian; github is used"
            ),
        ),
        (b"layout: x", ".brain/config.yaml: layout must map folders to what they hold"),
        (b"layout:\n  a: [b]", ".brain/config.yaml: layout of 'a' must be text"),
        (b"\xff\xfe\x00", ".brain/config.yaml, line 1: holds characters that YAML does not allow"),
    ],
)
def test_what_cannot_be_read_keeps_its_default_and_warns(data: bytes, warning: str):
    assert parse_config(data) == (TreeConfig(), (warning,))


@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf", b"# only a comment\n"])
def test_an_empty_file_sets_nothing(data: bytes):
    assert parse_config(data)[0] == TreeConfig()


@pytest.mark.parametrize(
    "dialect", ["github", "gitlab", "gitea", "mkdocs", "docusaurus", "obsidian"]
)
def test_every_dialect_can_be_set(dialect: str):
    assert parse_config(f"dialect: {dialect}".encode()) == (TreeConfig(dialect), ())
