"""Translators between a protocol and an operation. They hold no rule."""
