import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.search.analyzer import MAX_REMEMBERED, Analyzer, words_of
from brain.search.names import MAX_NAME_CHARS


def _has_capitals(word):
    return all(char.islower() and char.upper().isupper() for char in word)


def terms(text):
    analyzer = Analyzer()
    return {term for word in words_of(text) for term in analyzer.terms_of(word)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("running", {"running", "run"}),
        ("The USERS", {"the", "users", "user"}),
        ("RULE-INV01-0001", {"ruleinv01-0001", "rule", "inv01", "0001"}),
        ("ADR-0091", {"adr0091", "adr", "0091"}),
        ("3.11.2", {"3.11.2", "3.11", "3", "11", "2"}),
        (
            "deployment/chargeCustomer",
            {
                *("deployment/chargecustomer", "deployment", "deploy", "chargecustomer"),
                *("charge", "charg", "customer", "custom"),
            },
        ),
        ("charge_customer", {"chargecustomer", "charge", "charg", "customer", "custom"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("e-mail", {"email", "e", "mail"}),
        ("O'Reilly", {"oreilly", "o", "reilly", "reilli"}),
        ("Brain\u2019s", {"brain"}),
        ("__init__", {"init"}),
        ("____ -- ...", set()),
        ("2024-01-02", {"2024-01-02", "2024", "01", "02"}),
        ("ＡＢＣ ﬁre", {"abc", "fire"}),
        ("使用Python编程", {"使用", "使", "用", "python", "编程", "编", "程"}),
        ("食べるカタカナ", {"食", "べる", "カタ", "タカ", "カナ"}),
        ("한국어", {"한국", "국어"}),
        ("हिन्दी", {"हिन्दी"}),
        ("", set()),
    ],
)
def test_what_a_text_is_found_by(text, expected):
    assert terms(text) == expected


@pytest.mark.parametrize("word", ["ırmak", "irmak", "Irmak", "İrmak", "IRMAK", "İRMAK"])
def test_the_turkish_letters_i_meet(word):
    assert terms(word) == {"irmak"}


@pytest.mark.parametrize("text", ["Zürich café", "ガーデン", "Đà Nẵng", "한국어", "हिन्दी"])
def test_composed_and_decomposed_text_is_one(text):
    assert terms(unicodedata.normalize("NFD", text)) == terms(unicodedata.normalize("NFC", text))


def test_accents_of_alphabets_go_and_marks_of_other_scripts_stay():
    assert "zurich" in terms("Zürich")
    assert terms("が") != terms("か")


@pytest.mark.parametrize(
    "text",
    [
        "x" * 2_000_000,
        "a/" * 500_000,
        "A" + "bC" * 500_000,
        "漢" * 20_000,
        "\0" * 1000,
        "a-" * 9**6,
    ],
    ids=["one word", "path", "humps", "ideographs", "nul", "hyphens"],
)
def test_no_text_makes_long_terms(text):
    assert all(len(term) <= MAX_NAME_CHARS for term in terms(text))


def test_the_memory_of_an_analyzer_is_bounded():
    analyzer = Analyzer()

    for number in range(MAX_REMEMBERED + 10):
        analyzer.terms_of(f"w{number}")

    assert len(analyzer._remembered) <= MAX_REMEMBERED


@given(st.text(max_size=60))
def test_remembering_changes_nothing(text):
    analyzer = Analyzer()
    for word in words_of(text):
        first = analyzer.terms_of(word)
        assert analyzer.terms_of(word) == first == Analyzer().terms_of(word)
        assert all(first)


@given(st.text(max_size=80))
def test_case_changes_nothing_in_words_without_humps(text):
    # 'ª' has no capital and folds to 'a': in "ªA" it would open a hump
    spaced = " ".join(each for each in text.split() if each.isalpha() and _has_capitals(each))

    assert terms(spaced.upper().lower()) == terms(spaced.upper())
