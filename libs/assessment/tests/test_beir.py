import pytest

from brain.assessment.beir import Text, outcome_of_documents, read_beir
from brain.assessment.errors import DataSetError
from brain.assessment.markdown_file import file_name, markdown_of
from brain.search.analyzer import Analyzer, words_of


def write(folder, corpus, queries, qrels, where="qrels.tsv"):
    (folder / "corpus.jsonl").write_text(corpus)
    (folder / "queries.jsonl").write_text(queries)
    (folder / where).parent.mkdir(exist_ok=True)
    (folder / where).write_text(qrels)
    return folder


def test_a_set_is_read_with_either_name_of_ids_and_a_line_of_headings(tmp_path):
    corpus = (
        '{"_id": "https://a.test/b?c#d", "title": "T", "text": "x"}\n{"_id": "2", "text": "y"}\n'
    )
    queries = '{"_id": "q", "text": "why"}\n{"_id": "unjudged", "text": "how"}\n'
    qrels = "query-id\tcorpus-id\tscore\nq\thttps://a.test/b?c#d\t2\nq\t2\t0\n"

    data = read_beir(write(tmp_path, corpus, queries, qrels, "qrels/test.tsv"))

    assert [text.id for text in data.corpus] == ["https://a.test/b?c#d", "2"]
    assert [text.id for text in data.questions] == ["q"]
    assert data.grades == {"q": {"https://a.test/b?c#d": 2.0}}


@pytest.mark.parametrize(
    ("corpus", "qrels", "problem"),
    [
        ("{}\n", "q\t1\t1\n", "corpus"),
        ('{"id": "1"}\n{"id": "1"}\n', "q\t1\t1\n", "share an id"),
        ('{"id": "1"}\n', "q\t1\t1\nq\t1\tmuch\n", "qrels.tsv:2"),
        ('{"id": "1"}\n', "other\t1\t1\n", "no question"),
    ],
)
def test_what_is_no_set_is_refused(tmp_path, corpus, qrels, problem):
    folder = write(tmp_path, corpus, '{"id": "q", "text": "why"}\n', qrels)

    with pytest.raises(DataSetError, match=problem):
        read_beir(folder)


def test_a_document_counts_where_it_first_stands():
    outcome = outcome_of_documents(["b", "a", "b", "c"], {"c": 1.0, "a": 2.0, "z": 1.0})

    assert outcome.ranks == (3, 2, 0)


def test_a_title_stands_once():
    assert markdown_of(Text("1", "Get started\n\nBegin.", "Get started")) == (
        '---\ntitle: "Get started"\n---\n\nBegin.\n'
    )
    assert markdown_of(Text("1", "# Get  Started\nBegin.", "Get started")) == (
        '---\ntitle: "Get started"\n---\n\nBegin.\n'
    )
    assert markdown_of(Text("1", "Getting started is easy.", "Getting started")).endswith(
        "\n\nGetting started is easy.\n"
    )


def test_without_a_title_nothing_else_becomes_one():
    assert markdown_of(Text("1", "Begin.")) == '---\ntitle: "·"\n---\n\nBegin.\n'


def test_file_names_are_all_different_and_hold_no_word():
    names = [file_name(number) for number in range(2_000)]

    assert len(set(names)) == 2_000
    words = {word for name in names for word in words_of(name.removesuffix(".md"))}
    assert [term for word in words for term in Analyzer().terms_of(word)] == []
