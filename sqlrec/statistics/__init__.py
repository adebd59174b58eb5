"""Statistical formulas over plain numbers."""
