import pytest

from brain.embedding.e5 import E5
from brain.embedding.minilm import MINILM
from brain.query.vector_leg import trusted_for


@pytest.mark.parametrize(
    ("model", "question", "trust"),
    [
        (MINILM, "Who may sail alone?", 0.75),
        (MINILM, "Denize tek kişi açılabilir mi?", 0.375),
        (E5, "Denize tek kişi açılabilir mi?", 1.4),
    ],
)
def test_an_english_model_is_trusted_less_with_another_language(model, question, trust):
    assert trusted_for(model, question).trust == trust
