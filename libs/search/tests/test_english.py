import pytest

from brain.search.english import may_be_english


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How heavy an anchor does a Sprat need?", True),
        ("What did the singer Beyoncé do at the show that year?", True),
        ("“Quoted” — and 100 % plain, isn’t it?", True),
        ("Denize tek kişi açılabilir mi?", False),
        ("係留索の長さは", False),
        ("Hoe zwaar moet het anker zijn", True),
        ("", True),
    ],
)
def test_letters_beyond_ascii_tell(text, expected):
    assert may_be_english(text) == expected
