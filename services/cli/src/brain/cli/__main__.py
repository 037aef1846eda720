"""``python -m brain.cli``."""

from brain.cli.main import main

main()
