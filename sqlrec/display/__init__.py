"""What people look at: layouts of results as data, and the texts that are made of them."""
