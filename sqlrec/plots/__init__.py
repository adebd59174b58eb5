"""Plots: a query returns a small table, which is drawn as SVG or Vega-Lite."""
