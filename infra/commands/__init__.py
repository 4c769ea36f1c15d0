"""What the `research` command does, a module for each of its commands."""
