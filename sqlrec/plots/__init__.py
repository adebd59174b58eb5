"""Plots, which draw the small table of a query as SVG or Vega-Lite."""
