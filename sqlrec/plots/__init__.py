"""Plots: each is a query first, whose small table is drawn as SVG, Vega-Lite or by Matplotlib."""
