"""Engines, which run SQL and return Arrow tables. Rows of inputs stay in the database."""
