"""The one-process host: every service in one loop, on one port."""
