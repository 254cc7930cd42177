"""Whether a node's hello fits this host, and who has to be updated if not."""

from struct import Struct

from controller.pockets import messages as wire

_SAME_FOR_EVER = Struct("<BHII")
"""Id, protocol, definition and build: the part of hello that never changes."""


def mismatch(body: bytes) -> str | None:
    """Why a hello is refused and which side to update; None for anything else."""
    if body[0] != wire.Hello.ID or len(body) < _SAME_FOR_EVER.size:
        return None
    _id, protocol, definition, build = _SAME_FOR_EVER.unpack_from(body)
    if (protocol, definition) == (wire.PROTOCOL, wire.DEFINITION):
        return None
    sides = (
        f"pocket node: protocol {protocol}, definition {definition:08x}, "
        f"build {build:08x}; this host: protocol {wire.PROTOCOL}, "
        f"definition {wire.DEFINITION:08x}"
    )
    if protocol > wire.PROTOCOL:
        return f"{sides}. The host is older: update carrom-umpire on this computer"
    if protocol < wire.PROTOCOL:
        return f"{sides}. The node is older: flash the firmware of this release"
    return (
        f"{sides}. One side was built from a changed messages.toml: flash the "
        "firmware of the release that runs on this computer"
    )
