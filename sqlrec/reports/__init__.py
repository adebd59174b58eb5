"""Reports: one page on which model is better, for which users, and by which method."""
