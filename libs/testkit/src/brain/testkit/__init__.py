"""Servers on free ports, tiny Git repositories and strategies for tests."""
