"""Clients of the API for the command line: over REST, and over MCP."""
