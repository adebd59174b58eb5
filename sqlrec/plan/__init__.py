"""The plan that the SQL templates read, built from metric requests and inputs."""
