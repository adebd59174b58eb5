"""Reports, each a page that shows which model is better, for which users, and by which method."""
