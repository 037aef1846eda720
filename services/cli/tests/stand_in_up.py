"""``brain up --detach --json`` with the supervisor of the tests: DATA PORT_BASE."""

import sys
from pathlib import Path

from brain.cli.launch import launch_detached
from brain.cli.report import TerminalReporter
from brain.cli.settings import read_settings

HERE = Path(__file__).parent

if __name__ == "__main__":
    data, port_base, *broken = sys.argv[1:]
    script = broken[0] if broken else str(HERE / "stand_in_supervisor.py")
    settings = read_settings({"data": data, "port_base": port_base})
    reporter = TerminalReporter(as_json=True, detached=True)
    sys.exit(launch_detached(settings, reporter, supervisor=(sys.executable, script)))
