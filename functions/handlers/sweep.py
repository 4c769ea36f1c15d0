"""Lambda: once a minute."""

from research.edges.schedule import Schedule
from research.wiring import Wiring

handler = Schedule(Wiring().sweep())
