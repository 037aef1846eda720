"""The product's supervisor with the bench's host: ``python -m … DATA PORT_BASE``."""

import sys

from brain.cli.programs import PYTHON, Commands
from brain.cli.supervisor import main

if __name__ == "__main__":
    host = (*PYTHON, "brain.evaluation.bench.host")
    sys.exit(main([*sys.argv[1:], "json"], Commands(host=host)))
