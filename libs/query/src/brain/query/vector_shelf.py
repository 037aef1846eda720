"""What a worker has for the vector leg: the vectors of questions, and matrices of sources."""

from brain.embedding.question_vectors import QuestionVectors
from brain.embedding.settings import Settings
from brain.query.index_cache import IndexCache

#: Room for matrices: about a million vectors of 384 dimensions.
DEFAULT_BYTES = 512 * 1024 * 1024


class VectorShelf:
    """Wired once a process; without a model it only says so."""

    def __init__(self, settings: Settings, max_bytes: int = DEFAULT_BYTES) -> None:
        self.questions = QuestionVectors(settings)
        #: Matrices by (source, model), each the newest of its source.
        self.matrices = IndexCache(max_bytes)

    async def close(self) -> None:
        """End what embeds questions."""
        await self.questions.close()
