"""The whole bench, on a repository so small that only its working is seen."""

import json

import pytest

from brain.evaluation.bench.__main__ import main
from brain.evaluation.bench.groups import GROUPS

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(300)]


def test_every_row_is_measured_with_its_peer(tmp_path, capsys):
    report = tmp_path / "results" / "bench.json"

    main(["--documents=20", "--rounds=1", "--brief", "--idle=0", f"--json={report}"])

    results = json.loads(report.read_text())["results"]
    assert [each["key"] for each in results] == [row.key for group in GROUPS for row in group.rows]
    assert {each["key"]: each["note"] for each in results if each["note"]} == {}
    assert all(each["ratio"] is not None for each in results)
    assert "grep, 100 mixed queries, p95" in capsys.readouterr().out
