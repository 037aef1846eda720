"""One trace from the look that saw a branch move to the SQL of its build."""

import os

import pytest

from brain.testkit.otlp import otlp_receiver
from brain.testkit.repository import TestRepository
from brain.testkit.scratch_folder import scratch_folder
from tests.e2e.conftest import started

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]


def test_a_look_and_the_sql_of_its_build_are_one_trace():
    with otlp_receiver() as receiver, scratch_folder() as folder:
        environment = dict(os.environ) | {"OTEL_EXPORTER_OTLP_ENDPOINT": receiver.endpoint}
        with started(folder / "data", environment) as instance:
            repository = TestRepository(folder / "notes.git")
            repository.commit({"a.md": "# A\n"})
            instance.json("project", "add", "notes", "--repo", str(repository.path), "--wait")
            moved = receiver.wait_for("build.write", 30)

        assert moved is not None
        trace = [span for span in receiver.spans() if span.trace_id == moved.trace_id]
        names = {span.name for span in trace}
        assert {"look", "fetch", "build", "build.read", "build.parse", "build.write"} <= names
        assert any(name.endswith("publish") for name in names)
        assert any(name.endswith("process") for name in names)
        statements = {span.name for span in trace if span.service == "brain-builder"}
        assert {"INSERT", "UPDATE"} <= {name.upper() for name in statements}


def test_requests_are_traced(tmp_path):
    with otlp_receiver() as receiver, scratch_folder() as folder:
        environment = dict(os.environ) | {"OTEL_EXPORTER_OTLP_ENDPOINT": receiver.endpoint}
        with started(folder / "data", environment) as instance:
            instance.json("project", "list")
            span = receiver.wait_for("/api/projects", 20)

        assert span is not None
