import pytest

from brain.tree.link_targets import LinkTarget, name_key, read_target, resolve_path


@pytest.mark.parametrize(
    ("destination", "path", "fragment"),
    [
        ("a.md", "a.md", ""),
        ("./Env%20Setup/VS%20Code.md", "./Env Setup/VS Code.md", ""),
        ("a.md#x%20y", "a.md", "x y"),
        ("a.md?plain=1#x?y", "a.md", "x?y"),
        ("#outcomes", "", "outcomes"),
        ("a%252eb.md", "a%2eb.md", ""),
        ("docs/", "docs/", ""),
        ("docs/v1.2", "docs/v1.2", ""),
        ("M%C3%BCnchen.MD", "München.MD", ""),
        ("C++.md", "C++.md", ""),
        ("/root.md", "/root.md", ""),
    ],
)
def test_a_destination_is_decoded_once(destination: str, path: str, fragment: str):
    assert read_target(destination) == LinkTarget(path, fragment)


@pytest.mark.parametrize(
    "destination",
    ["https://x.y/a.md", "mailto:a@b.md", "//host/a.md", "javascript:x", "a.png", "src/main.c",
     "", "?x", "a%00.md", "..\\a.md", "a%5Cb.md", "page.html#x"],
)  # fmt: skip
def test_other_destinations_are_none(destination: str):
    assert read_target(destination) is None


@pytest.mark.parametrize(
    ("path", "resolved"),
    [
        ("c.md", "a/b/c.md"),
        ("../c.md", "a/c.md"),
        ("../../c.md", "c.md"),
        ("../../../c.md", None),
        ("/c.md", "c.md"),
        ("/../c.md", None),
        ("", "a/b/x.md"),
        (".", "a/b"),
        ("./sub/", "a/b/sub"),
        ("../../", ""),
        ("x//y.md", "a/b/x/y.md"),
    ],
)
def test_a_path_resolves_inside_the_repository(path: str, resolved: str | None):
    assert resolve_path("a/b/x.md", path) == resolved


def test_a_name_loses_its_folder_and_only_the_suffix_md():
    assert name_key("Dir/Animal.Dog.MD") == "name:animal.dog"
    assert name_key("animal.dog") == "name:animal.dog"
