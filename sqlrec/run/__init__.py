"""A statement at work: its rows checked, and what is made of per-user values."""
