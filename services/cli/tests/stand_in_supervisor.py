"""The real supervisor around a stand-in for the server process and the migration step."""

import sys
from pathlib import Path

from brain.cli import supervisor
from brain.cli.programs import Commands

HOST = Path(__file__).with_name("stand_in_host.py")
COMMANDS = Commands(migrate=(sys.executable, "-c", ""), host=(sys.executable, str(HOST)))

if __name__ == "__main__":
    sys.exit(supervisor.main(sys.argv[1:], COMMANDS))
