"""The use cases, on ports that they state themselves."""
