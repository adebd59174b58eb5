"""From a plan to a statement."""
