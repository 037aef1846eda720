"""Postgres: the only package with SQL."""
