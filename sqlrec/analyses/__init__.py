"""Questions beside the values: comparison, checks, explanations, sampled ranks, trec_eval."""
