"""Logs: one JSON object a line, with the trace they belong to; whatever a value holds, one line."""

import json
import logging
import sys
from datetime import UTC, datetime
from types import TracebackType

from typing_extensions import override

from brain.telemetry.tracing import current_trace_id

_STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}

#: Keys of every line; no field takes their place.
_OWN = frozenset({"time", "level", "service", "logger", "message"})


class JsonFormatter(logging.Formatter):
    """Render a record with its extra fields as one line of JSON."""

    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    @override
    def format(self, record: logging.LogRecord) -> str:
        try:
            return json.dumps(self._entry(record), ensure_ascii=True, allow_nan=False, default=str)
        except Exception as error:  # noqa: BLE001 - a value that cannot be written loses no line
            bare = {**self._base(record), "message": str(record.msg)}
            bare["logging_error"] = f"{type(error).__name__}: a field could not be written"
            return json.dumps(bare, ensure_ascii=True)

    def _base(self, record: logging.LogRecord) -> dict[str, object]:
        return {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "service": self._service,
            "logger": record.name,
        }

    def _entry(self, record: logging.LogRecord) -> dict[str, object]:
        entry = {k: v for k, v in record.__dict__.items() if k not in _STANDARD}
        entry = {**self._base(record), "message": record.getMessage()} | {
            k: v for k, v in entry.items() if k not in _OWN
        }
        trace_id = current_trace_id()
        if trace_id:
            entry["trace_id"] = trace_id
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return entry


def setup_logging(service: str, level: str = "INFO") -> None:
    """Send this process's logs to standard error as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(service))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_crash
    for noisy in ("httpx", "httpx2", "uvicorn.access", "mcp", "faststream", "uvicorn.error"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def _log_crash(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Log what ends the process in one line, too."""
    if issubclass(kind, KeyboardInterrupt):
        return
    logging.getLogger("brain").critical("crashed", exc_info=(kind, error, trace))
