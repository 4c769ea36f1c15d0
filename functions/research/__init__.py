"""Cited Research: answers from a team's own evidence, kept only when their citations hold.

The layers, each importing only those below it (held by import-linter, see pyproject.toml):
edges → wiring → adapters → operations → rules → words. functions/README.md describes the design as built.
"""
