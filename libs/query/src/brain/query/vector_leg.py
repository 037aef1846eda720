"""The vector leg: chunks whose text lies near the question's meaning."""

import msgspec

from brain.embedding.embedder import EmbeddingError, Model
from brain.embedding.quantised import Codes
from brain.query.chunk_vectors import ChunkVectors, chunk_vectors
from brain.query.search_index import SearchIndex
from brain.query.view import View
from brain.search.bm25 import Mask
from brain.search.english import may_be_english
from brain.search.fusion import Leg, vector_weight
from brain.search.nearness import Nearness, nearness_of

#: Below this share of chunks with vectors the nearest of them says nothing of the source.
_TELLING_SHARE = 0.9
#: Of its trust, what an English model keeps for a question in another language. Measured,
#: docs/retrieval.md.
_FOREIGN_TRUST = 0.5


class AskedVector(msgspec.Struct, frozen=True):
    """The vector of a question, or why there is none."""

    codes: Codes | None = None
    #: Trusted as far as it understands the question; None without a vector.
    model: Model | None = None
    warnings: tuple[str, ...] = ()


class VectorRanking(msgspec.Struct, frozen=True):
    """What the vector leg says, or why it says nothing."""

    #: None when there is no ranking.
    leg: Leg | None = None
    #: None when too few chunks have vectors to tell.
    nearness: Nearness | None = None
    #: Of the model that made the vectors.
    trust: float = 0.0
    warnings: tuple[str, ...] = ()


async def ask_vector(view: View, text: str) -> AskedVector:
    """Return the vector of a question; never raises for an outage."""
    questions = view.shelf.questions
    if questions.model is None:
        why = questions.problem or "No embedding model is configured: keywords only."
        return AskedVector(warnings=(why,))
    if view.pointer.vector_model != questions.model.name:
        why = "No passage has a vector of the configured model yet: keywords only."
        return AskedVector(warnings=(why,))
    try:
        return AskedVector(await questions.embed(text), trusted_for(questions.model, text))
    except EmbeddingError as error:
        return AskedVector(warnings=(f"{error} The answer is by keywords only.",))


def trusted_for(model: Model, text: str) -> Model:
    """Return a model trusted as far as it understands a question."""
    if not model.is_english or may_be_english(text):
        return model
    return msgspec.structs.replace(model, trust=_FOREIGN_TRUST * model.trust)


async def rank_vectors(
    view: View, index: SearchIndex, asked: AskedVector, allowed: Mask | None, depth: int
) -> VectorRanking:
    """Rank chunks by the cosine of their vector and the question's.

    Equal cosines go by chunk id. The leg counts for less the fewer chunks have vectors: what has
    none may be nearer.
    """
    query, model = asked.codes, asked.model
    if query is None or model is None:
        return VectorRanking(warnings=asked.warnings)
    vectors = await chunk_vectors(view, index)
    warnings = _pending(vectors)
    if not len(vectors.matrix.keys) or vectors.matrix.codes.shape[1] != len(query):
        return VectorRanking(warnings=warnings)
    numbers = vectors.among(allowed)
    places, cosines = await view.derive(
        lambda: vectors.matrix.nearest(query, vectors.rows[numbers], depth)
    )
    if not len(places):
        return VectorRanking(warnings=warnings)
    near = nearness_of(cosines.tolist(), model.unrelated_cosine)
    found = index.collection.ids[numbers[places]].tolist()
    leg = Leg(
        "vector",
        [f"{each:016x}" for each in found],
        cosines.tolist(),
        weight=vector_weight(near, model.trust) * vectors.coverage,
    )
    is_telling = vectors.coverage >= _TELLING_SHARE
    return VectorRanking(leg, near if is_telling else None, model.trust, warnings)


def _pending(vectors: ChunkVectors) -> tuple[str, ...]:
    if not vectors.missing:
        return ()
    return (f"{vectors.missing:,} of {vectors.total:,} passages have no vector yet.",)
