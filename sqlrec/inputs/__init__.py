"""Inputs: the caller's tables as relations with standard columns, and checks of these tables."""
