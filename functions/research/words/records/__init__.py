"""What is kept: one frozen value per stored thing, and a typed reference that names where it is.

A reference holds only what a request already carries, so that one batch can fetch everything a call needs.
"""

from research.words.records.conversations import *  # noqa: F403 (one vocabulary, in four files for their length alone)
from research.words.records.record import *  # noqa: F403
from research.words.records.references import *  # noqa: F403
from research.words.records.tenancy import *  # noqa: F403
