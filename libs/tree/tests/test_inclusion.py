import pytest

from brain.tree.inclusion import Verdict, is_restricted_path, judge_entry

FILE, EXECUTABLE, SYMLINK, SUBMODULE = 0o100644, 0o100755, 0o120000, 0o160000


@pytest.mark.parametrize(
    "path",
    ["a.md", "A.MD", "a/b/c.Md", "a/plugins/x.md", "a/scratch/x.md", "Identifiers/x.md",
     ".hidden.md", "restricted.md", "unrestricted/x.md",
     "restricted2/x.md", "a b/ü.md", "справочник/x.md",
     "ops/x.md", "build/x.md", "vendor/x.md", "node_modules/x.md", "_generated/x.md",
     "Plugins/x.md", "gitnotes/x.md", ".md"],
)  # fmt: skip
def test_these_are_indexed(path: str):
    assert judge_entry(path.encode(), FILE, 10) == Verdict(path)


@pytest.mark.parametrize("path", ["a.txt", "md", "a.markdown", "restricted/a.txt", "a.mdx"])
def test_what_is_not_markdown_is_not_counted(path: str):
    assert judge_entry(path.encode(), FILE, 10) is None


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("plugins/x.md", "plugins"),
        ("scratch/a/x.md", "scratch"),
        ("a/identifiers/x.md", "identifiers"),
        (".brain/x.md", "hidden"),
        ("a/.b/x.md", "hidden"),
    ],
)
def test_some_folders_are_left_out(path: str, reason: str):
    assert judge_entry(path.encode(), FILE, 10) == Verdict(path, reason)


@pytest.mark.parametrize(
    "folder",
    [
        "restricted",
        "Restricted",
        "RESTRICTED",
        "a/restricted/b",
        "\uff52\uff45\uff53\uff54\uff52\uff49\uff43\uff54\uff45\uff44",
        "re\u017ftricted",
        "re\u200bstricted",
        "restricted.",
        "restricted ",
        " restricted",
        "restr\u0131cted",
        "r\u0435stricted",
        "r\xe9stricted",
        "restr\u0456ct\u0435d",
        "restr1cted",
        "restrlcted",
        "RE\u017fTRICTED",
        "restric\u2020ed",
        "restri\u03f2ted",
        "r\U0001d41estricted",
        "re\xadstricted",
        ".restricted",
    ],
)
def test_restricted_is_left_out_in_every_disguise(folder: str):
    verdict = judge_entry(f"{folder}/x.md".encode(), FILE, 10)

    assert verdict is not None
    assert verdict.reason == "restricted"


@pytest.mark.parametrize(
    "path",
    [b"../x.md", b"a/./x.md", b"a//x.md", b"/x.md", b".git/x.md", b"a/.GIT/x.md", b"git~1/x.md",
     b".git /x.md", b"a\\b.md", b"a\nb.md", b"a\x00.md", b"a\x1b[0m.md", b"\xff.md", b"\xff/x.md",
     "a\u202eb.md".encode(), "a\u2028.md".encode(), b"a" * 256 + b".md", b"a/" * 64 + b"x.md",
     (b"a" * 200 + b"/") * 6 + b"x.md", ".g\u200dit/x.md".encode()],
)  # fmt: skip
def test_names_that_are_not_clean_are_left_out(path: bytes):
    assert judge_entry(path, FILE, 10) == Verdict("", "bad-name")


@pytest.mark.parametrize(
    ("mode", "size", "reason"),
    [
        (FILE, 2_097_152, None),
        (FILE, 2_097_153, "too-large"),
        (EXECUTABLE, 1, None),
        (SYMLINK, 1, "symlink"),
        (SUBMODULE, None, "submodule"),
        (FILE, None, "missing"),
    ],
)
def test_content_decides_last(mode: int, size: int | None, reason: str | None):
    assert judge_entry(b"a.md", mode, size) == Verdict("a.md", reason)


def test_restricted_is_named_before_any_other_reason():
    assert judge_entry(b"restricted/\xff.md", SYMLINK, None) == Verdict(
        "restricted/\ufffd.md", "restricted"
    )


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("រាប់\u200bពាក្យ.md", "រាប់\u200bពាក្យ.md"),
        ("a\u202eb.md", ""),
        ("a\nb.md", ""),
        ("a" * 300 + ".md", ""),
    ],
)
def test_a_name_that_only_hides_something_is_left_out_and_still_known(path: str, shown: str):
    assert judge_entry(path.encode(), FILE, 1) == Verdict(shown, "bad-name")


def test_a_restricted_path_is_known_whether_or_not_anything_is_there():
    assert is_restricted_path("a/RESTRICTED/b/c.md")
    assert not is_restricted_path("a/restricted.md")


def test_a_name_in_two_normal_forms_is_two_documents():
    assert judge_entry("é.md".encode(), FILE, 1) != judge_entry("e\u0301.md".encode(), FILE, 1)
