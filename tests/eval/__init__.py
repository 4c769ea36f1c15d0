"""The evaluation: what a model may say of some evidence, and what must become of each part of it."""
