import pytest

from brain.markdown.front_matter import field_texts, read_front_matter


def test_scalars_stay_text():
    found = read_front_matter("---\na: no\nb: 2025-13-45\nc: 1:2:3\nd: .nan\ne: ~\nf: 0x1F\n---\n")

    assert found.fields == {
        "a": "no", "b": "2025-13-45", "c": "1:2:3", "d": ".nan", "e": "", "f": "0x1F",
    }  # fmt: skip


def test_the_block_ends_after_its_closing_line():
    found = read_front_matter("---\r\ntitle: x\r\n---\r\ntext\r\n")

    assert found.fields == {"title": "x"}
    assert found.length == 20


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: x\n",
        "---\n# Title\n---\ntext",
        "---\n- a\n---\n",
        "---\n\nSome text: and more: colons\n\n---\n",
        " ---\na: b\n---\n",
        "text\n---\na: b\n---\n",
        "---",
        "",
    ],
)
def test_what_does_not_close_or_is_no_mapping_is_text(text: str):
    found = read_front_matter(text)

    assert (found.fields, found.length, found.warnings) == ({}, 0, ())


@pytest.mark.parametrize(
    ("block", "warning"),
    [
        ("title: A: B", "front matter, line 2: mapping values are not allowed in this context"),
        ("a: b\na: c", "front matter, line 3: has the key 'a' twice"),
        ("a: &x b\nb: *x", "front matter, line 2: uses an anchor or alias"),
        ("a: b\nc: !!python/object:os.system x", "front matter, line 3: uses a tag"),
        ("a: [[[[[[[[[[x]]]]]]]]]]", "front matter, line 2: is nested deeper than 8 levels"),
        ("a: " + "[" * 5000, "front matter, line 2: exceeded maximum nesting depth"),
        ("a: b\n? [c]\n: d", "front matter, line 3: has a key that is no text"),
        ("a: b\x01", "front matter, line 2: holds characters that YAML does not allow"),
        ("a: " + "b" * 70_000, "front matter, line 2: longer than 64 KiB"),
        ("k: v\n" + "\n".join(f"k{n}: v" for n in range(256)),
         "front matter, line 258: has more than 256 keys"),
    ],
)  # fmt: skip
def test_a_bad_block_gives_a_warning_with_its_line_and_no_field(block: str, warning: str):
    found = read_front_matter(f"---\n{block}\n---\n")

    assert found.fields == {}
    assert found.warnings == (warning,)
    assert found.length == len(block) + 9


def test_both_forms_of_a_wikilink_value_read_the_same():
    found = read_front_matter("---\nup: [[X]]\ndown: '[[X]]'\nsame:\n  - [[Y]]\n  - '[[Z]]'\n---\n")

    assert field_texts(found.fields["up"]) == ("[[X]]",)
    assert field_texts(found.fields["down"]) == ("[[X]]",)
    assert field_texts(found.fields["same"]) == ("[[Y]]", "[[Z]]")


def test_an_escaped_nul_does_not_survive():
    assert read_front_matter('---\na: "b\\0c"\n---\n').fields == {"a": "b\ufffdc"}
