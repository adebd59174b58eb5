"""Render a plan as a statement."""
