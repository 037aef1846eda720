"""Judging ranked search by questions whose answers are known."""
