from brain.query.ranking import Filters


def test_a_log_says_where_was_looked():
    assert Filters().told() == ()
    assert Filters(("domain",), "domain/farms", ("pay", "old"), "rejected").told() == (
        "domain",
        "under domain/farms",
        "label pay",
        "label old",
        "status rejected",
    )
