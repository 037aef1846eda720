"""Postgres and NATS servers from wheels, started and stopped as child processes."""
