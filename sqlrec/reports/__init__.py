"""Reports: pages that show which model is better, for which users, and by which method."""
