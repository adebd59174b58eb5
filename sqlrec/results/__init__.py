"""Results as rows, tables, files and texts."""
