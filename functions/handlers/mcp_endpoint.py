"""Lambda: ANY /mcp."""

from research.edges.mcp_endpoint import Endpoint
from research.edges.mcp_server import Offer
from research.wiring import Wiring

wiring = Wiring()
offer = Offer(wiring.settings.profile, wiring.settings.output_schemas)
handler = Endpoint(wiring.calls(), offer, wiring.settings.allowed_origins)
