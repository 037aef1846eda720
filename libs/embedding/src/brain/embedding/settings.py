"""Settings of embedding, the same for every service; the reader of their environment."""

import os
from pathlib import Path
from typing import Literal, cast

import msgspec

from brain.telemetry.numbers import read_count, read_number

Provider = Literal["local", "ollama", "openai", "none"]
_PROVIDERS = ("local", "ollama", "openai", "none")


class EmbeddingSettingError(ValueError):
    """A setting of embedding means nothing."""


class Settings(msgspec.Struct, frozen=True):
    """Which model makes vectors, and how it is reached."""

    provider: Provider = "none"
    #: Of `local`: ``e5``, ``minilm`` or empty for the first that is installed; of the others what
    #: the server calls it.
    model: str = ""
    url: str = ""
    api_key: str = ""
    #: Weights that ``brain model pull`` fetched, or that were put there by hand.
    model_dir: str = ""
    dimensions: int = 0
    batch_size: int = 32
    timeout_s: float = 30.0
    unrelated_cosine: float = 0.0
    #: Threads that fill in vectors may keep busy.
    threads: int = 1

    @classmethod
    def from_env(cls) -> "Settings":
        """Read ``BRAIN_EMBEDDING_*`` and ``BRAIN_MODEL_DIR``.

        Raises:
            EmbeddingSettingError: a provider that is none, or one that lacks its address or model.
        """
        env = os.environ
        provider = env.get("BRAIN_EMBEDDINGS", "local")
        if provider not in _PROVIDERS:
            raise EmbeddingSettingError(f"BRAIN_EMBEDDINGS must be one of {', '.join(_PROVIDERS)}.")
        url = env.get("BRAIN_EMBEDDING_URL", _URLS.get(provider, ""))
        model = env.get("BRAIN_EMBEDDING_MODEL", _MODELS.get(provider, ""))
        if provider in _URLS and (not url.startswith(("http://", "https://")) or not model):
            raise EmbeddingSettingError(
                f"BRAIN_EMBEDDINGS={provider} needs BRAIN_EMBEDDING_URL (http or https) and"
                " BRAIN_EMBEDDING_MODEL."
            )
        if provider == "local" and model not in {"", "minilm", "e5"}:
            raise EmbeddingSettingError("BRAIN_EMBEDDING_MODEL must be minilm or e5.")
        return cls(
            provider=cast("Provider", provider),
            model=model,
            url=url,
            api_key=env.get("BRAIN_EMBEDDING_API_KEY", ""),
            model_dir=str(Path(found).expanduser())
            if (found := env.get("BRAIN_MODEL_DIR"))
            else "",
            dimensions=read_count(env, "BRAIN_EMBEDDING_DIMENSIONS", 0),
            batch_size=max(1, read_count(env, "BRAIN_EMBEDDING_BATCH", 32)),
            timeout_s=read_number(env, "BRAIN_EMBEDDING_TIMEOUT_S", 30),
            unrelated_cosine=read_number(env, "BRAIN_EMBEDDING_UNRELATED_COSINE", 0),
            threads=max(
                1, read_count(env, "BRAIN_EMBEDDING_THREADS", 0) or (os.cpu_count() or 1) // 2
            ),
        )


_URLS = {"ollama": "http://127.0.0.1:11434", "openai": "https://api.openai.com/v1"}
_MODELS = {"ollama": "nomic-embed-text", "openai": "text-embedding-3-small"}
