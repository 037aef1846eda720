import pytest

from brain.markdown.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a  b\n c", "a b c"),
        ("a\U000e0041\U000e0042b", "ab"),
        ("a\u202eb\u2066c", "abc"),
        ("\x1b[31mred", "[31mred"),
        ("\ufefftitle\u200b", "title"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
        ("a\u2028b", "a b"),
    ],
)
def test_text_shows_everything_it_says(text: str, shown: str):
    assert visible(text) == shown
