"""From what is asked and what is given to all that templates have to know."""
