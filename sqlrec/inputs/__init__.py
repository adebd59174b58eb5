"""Tables of the caller, and what their columns hold."""
