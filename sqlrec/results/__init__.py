"""What comes back: rows, tables, and the files and texts made of them."""
