"""Layouts of tables, and their rendering as text, HTML and other formats."""
