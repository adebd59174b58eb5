"""Jobs, with checked rows, batches of users, and statistics of per-user values."""
