"""Logs: one JSON object a line, with the trace they belong to; whatever a value holds, one line."""

import json
import logging
import sys
from datetime import UTC, datetime

from typing_extensions import override

from brain.telemetry.tracing import current_trace_id

_STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """Render a record with its extra fields as one line of JSON."""

    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    @override
    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "service": self._service,
            "logger": record.name,
            "message": record.getMessage(),
        }
        trace_id = current_trace_id()
        if trace_id:
            entry["trace_id"] = trace_id
        entry.update({k: v for k, v in record.__dict__.items() if k not in _STANDARD})
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=True, default=str)


def setup_logging(service: str, level: str = "INFO") -> None:
    """Send this process's logs to standard error as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(service))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for noisy in ("httpx", "httpx2", "uvicorn.access", "mcp", "faststream", "uvicorn.error"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
