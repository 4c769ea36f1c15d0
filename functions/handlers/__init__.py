"""One module per Lambda function, each at most ten lines: build once, then one call."""

import gc

# Hardly anything that is imported ever becomes garbage, and Python's looking for some takes a tenth of a cold start.
gc.set_threshold(100_000, 20, 20)
