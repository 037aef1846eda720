"""Line maps: where the lines of an older text stand in a newer one."""

from collections.abc import Sequence

from brain.gitmirror.difference import Hunk


def map_lines(hunks: Sequence[Hunk], lines: tuple[int, int]) -> tuple[bool, int | None, int | None]:
    """Carry a range of lines over a difference.

    Args:
        hunks: in order, without context.
        lines: first and last of the older text, inclusive.

    Returns:
        Whether lines inside the range changed, and the range in the newer text, what replaced
        its ends included; None when nothing is left of it.
    """
    first, last = lines
    touched = any(_is_inside(hunk, first, last) for hunk in hunks)
    start = _position(hunks, first, is_end=False)
    end = _position(hunks, last, is_end=True)
    return (touched, start, end) if start <= end else (True, None, None)


def _is_inside(hunk: Hunk, first: int, last: int) -> bool:
    if not hunk.old_count:
        return first <= hunk.old_start < last
    return hunk.old_start <= last and hunk.old_start + hunk.old_count > first


def _position(hunks: Sequence[Hunk], line: int, *, is_end: bool) -> int:
    """Return where an older line stands in the newer text, or the near edge of what replaced it."""
    shift = 0
    for hunk in hunks:
        end = hunk.old_start + hunk.old_count
        if hunk.old_start <= line < end:
            if not hunk.new_count:
                return hunk.new_start + (0 if is_end else 1)
            return hunk.new_start + (hunk.new_count - 1 if is_end else 0)
        if end <= line and (hunk.old_count or hunk.old_start < line):
            shift += hunk.new_count - hunk.old_count
    return line + shift
