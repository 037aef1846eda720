"""The command line, the supervisor and the one-process host."""
