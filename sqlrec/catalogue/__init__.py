"""What there is to ask for: metrics, and the conventions of libraries."""
