"""Subjects, streams and events: the words the services say to each other over NATS."""
