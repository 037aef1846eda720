"""Traces, logs, metrics and health."""
