# Every command here needs only Python 3.11 or newer, git and make.

UV := .venv/bin/uv
PY := .venv/bin/python
UV_VERSION := 0.13.9

.PHONY: setup demo test test-all check format lock schema bench

setup: .venv/.ready

.venv/.ready: uv.lock pyproject.toml $(wildcard libs/*/pyproject.toml services/*/pyproject.toml)
	@test -x $(PY) || python3 -m venv .venv
	@test -x $(UV) || .venv/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@$(UV) sync --locked --quiet
	@touch $@

demo: setup
	@trap : INT; $(PY) -m brain.cli demo $(if $(REPO),--repo "$(REPO)") || test $$? -eq 130

# A file's tests stay on one worker, so that the servers they share are started once.
test: setup
	@$(PY) -m pytest -q -n auto --maxprocesses 4 --dist loadfile

check: setup
	@.venv/bin/ruff format --check .
	@.venv/bin/ruff check .
	@.venv/bin/mypy libs/*/src services/*/src eval/src
	@.venv/bin/lint-imports
	@.venv/bin/codespell

format: setup
	@.venv/bin/ruff format .
	@.venv/bin/ruff check --fix .

# Figures beside their peers; docs/performance.md. BENCH_REPO is any Git repository.
bench: setup
	@$(PY) -m brain.evaluation.bench $(if $(BENCH_REPO),--repo "$(BENCH_REPO)") $(BENCH_ARGS)

# Writes the generated files that tests compare: database schema, API and tools.
schema: setup
	@$(PY) -m brain.testkit.schema
	@$(PY) -m brain.read_api.openapi docs/openapi.json
	@$(PY) -m brain.mcp_gateway.description tests/contracts/tools.json

lock:
	@$(UV) lock
