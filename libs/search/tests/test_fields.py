from brain.search.analyzer import Analyzer
from brain.search.chunk import Chunk
from brain.search.fields import MAX_WEIGHT, weigh_chunk


def weighed(**fields):
    texts = {"title": "", "headings": "", "names": "", "text": "", "code": "", **fields}
    return weigh_chunk(Chunk("", "", 0, 1, 1, 0, 0, 0, **texts), Analyzer())


def test_a_title_counts_more_than_names_these_more_than_text_and_code_least():
    chunk = weighed(title="one", headings="two", names="ten", text="six", code="red")

    assert chunk.weights == {"one": 32, "two": 4, "ten": 8, "six": 4, "red": 3}
    assert chunk.length == 51


def test_the_fields_of_a_term_add_up():
    assert weighed(title="one", text="one one").weights == {"one": 40}


def test_a_weight_fits_a_byte_and_the_length_is_of_all():
    chunk = weighed(text="one " * 1000)

    assert chunk.weights == {"one": MAX_WEIGHT}
    assert chunk.length == 4000
