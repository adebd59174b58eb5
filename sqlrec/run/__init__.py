"""Jobs that run statements, check their rows, and compute statistics of per-user values."""
