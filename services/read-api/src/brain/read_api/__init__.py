"""REST over the query library."""
