"""Lambda: POST /research-api/conversations/archive."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("conversations_archive", Wiring().calls())
