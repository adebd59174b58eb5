"""Plots: each is a query first, whose small table is drawn as SVG or Vega-Lite."""
