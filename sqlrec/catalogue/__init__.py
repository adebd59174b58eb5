"""The catalogue: metrics, conventions of libraries, and requests for metrics."""
