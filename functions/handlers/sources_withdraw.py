"""Lambda: POST /research-api/sources/withdraw."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("sources_withdraw", Wiring().calls())
