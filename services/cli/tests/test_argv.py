import pytest

from brain.cli.argv import globals_first


@pytest.mark.parametrize(
    ("given", "ordered"),
    [
        (["tree", "docs", "/", "--json"], ["--json", "tree", "docs", "/"]),
        (["tree", "--json", "docs", "/"], ["--json", "tree", "docs", "/"]),
        (["up", "--data", "/d", "--detach"], ["--data", "/d", "up", "--detach"]),
        (["up", "--data=/d"], ["--data=/d", "up"]),
        (["grep", "docs", "--", "--json"], ["grep", "docs", "--", "--json"]),
        (
            ["--url", "http://x", "status", "--token", "t"],
            ["--url", "http://x", "--token", "t", "status"],
        ),
        (["status", "--data"], ["--data", "status"]),
        (["grep", "docs", "a=b"], ["grep", "docs", "a=b"]),
        ([], []),
    ],
)
def test_global_options_come_first(given, ordered):
    assert globals_first(given) == ordered
