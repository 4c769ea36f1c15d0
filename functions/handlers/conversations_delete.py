"""Lambda: POST /research-api/conversations/delete."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("conversations_delete", Wiring().calls())
