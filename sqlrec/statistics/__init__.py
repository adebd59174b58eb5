"""Formulas of statistics, over numbers alone."""
