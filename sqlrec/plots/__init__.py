"""Plots. A plot draws the small table of a query as SVG or Vega-Lite."""
