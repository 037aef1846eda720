import pytest

from brain.search.code_paths import clean_paths, covers


@pytest.mark.parametrize(
    ("ref", "path", "covered"),
    [
        ("services/payment", "services/payment/retry.py", True),
        ("services/payment", "services/payments/retry.py", False),
        ("/services/payment/", "services/payment", True),
        ("./a.py", "a.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/?.py", "src/a.py", True),
        ("src/?.py", "src/ab.py", False),
        ("**/retry.py", "retry.py", True),
        ("**/retry.py", "a/b/retry.py", True),
        ("**/x/y", "a/x/x/y", True),
        ("src/**", "src/a/b.py", True),
        ("src/**/test_*.py", "src/test_a.py", True),
        ("src/**/test_*.py", "src/a/b/test_a.py", True),
        ("src/**/test_*.py", "src/a/b/a_test.py", False),
        ("*a*b*c", "xaxbxbc", True),
        ("Src/*", "src/a", False),
        ("**", "anything/at/all", True),
        ("", "a", False),
        ("*" * 301, "a", False),
    ],
)
def test_which_paths_a_pattern_covers(ref, path, covered):
    assert covers([ref], clean_paths([path])) is covered


def test_a_pattern_of_many_stars_takes_no_longer():
    assert not covers(["*a" * 140], clean_paths(["a" * 100 + "b"]))
    assert not covers(["**/a/" * 50 + "b"], clean_paths(["a/" * 500 + "c"]))


def test_paths_are_cleaned_once_and_ordered():
    assert clean_paths(["./b\\c.py", "/a/", "b/c.py", " ", "./"]) == ("a", "b/c.py")
