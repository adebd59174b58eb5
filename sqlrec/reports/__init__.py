"""Reports: one page that says which model is better, for whom, and how that was found."""
