"""Differences of trees against walks of both."""

from hypothesis import given
from hypothesis import strategies as st

from brain.gitmirror.tree_diff import diff_markdown
from brain.gitmirror.tree_walk import walk_markdown

NAMES = st.sampled_from(["a.md", "b.MD", "c", "d", ".git", "e.txt", "f.md"])
MODES = {"blob": b"100644", "link": b"120000", "tree": b"40000", "commit": b"160000"}


def tree_of(shape, trees):
    """Store a nested shape as raw trees and return the root's id."""
    raw = b""
    for name, kind, content in shape:
        oid = tree_of(content, trees) if kind == "tree" else f"{content:040x}"
        raw += MODES[kind] + b" " + name.encode() + b"\0" + bytes.fromhex(oid)
    oid = f"{abs(hash(raw)) % 2**150:040x}"
    trees[oid] = raw
    return oid


LEAVES = st.tuples(
    NAMES, st.sampled_from(["blob", "link", "commit"]), st.integers(min_value=1, max_value=3)
)
SHAPES = st.recursive(
    st.lists(LEAVES, max_size=4),
    lambda inner: st.lists(st.one_of(LEAVES, st.tuples(NAMES, st.just("tree"), inner)), max_size=4),
    max_leaves=12,
)


@given(SHAPES, SHAPES)
def test_a_difference_turns_one_walk_into_the_other(before, after):
    trees = {}
    old, new = tree_of(before, trees), tree_of(after, trees)

    expected = list(walk_markdown(old, trees.__getitem__))
    for removed, added in diff_markdown(old, new, trees.__getitem__):
        if removed:
            expected.remove(removed)
        if added:
            expected.append(added)

    key = repr
    assert sorted(expected, key=key) == sorted(walk_markdown(new, trees.__getitem__), key=key)


@given(SHAPES)
def test_equal_trees_do_not_differ(shape):
    trees = {}
    root = tree_of(shape, trees)

    assert list(diff_markdown(root, root, trees.__getitem__)) == []
