from brain.cli.commands.bundle import gap_line

GAP = {"count": 3, "reason": "no_results", "name": "brain_search"}


def test_a_gap_is_one_line_that_says_where_it_was_asked():
    line = gap_line({**GAP, "query": "how\n do  seals\tsleep"})

    assert line == "   3  no results  how do seals sleep  (brain_search)"


def test_a_long_question_is_cut():
    line = gap_line({**GAP, "query": "x" * 10_000})

    assert line == f"   3  no results  {'x' * 119}…  (brain_search)"
