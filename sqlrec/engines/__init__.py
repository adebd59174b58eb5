"""Where SQL runs. An engine answers a query with an Arrow table; rows of inputs stay inside."""
