"""Layouts of results: their columns, groups of rows, titles and notes."""
