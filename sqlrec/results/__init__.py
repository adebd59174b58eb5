"""Results: rows, tables, and their files and texts."""
