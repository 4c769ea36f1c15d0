"""A client of the REST API for the command line."""
