"""Documents to nodes, folders, references and summaries. Pure."""
