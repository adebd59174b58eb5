"""Analyses of results: comparisons, checks, explanations, sampled candidates, trec_eval."""
