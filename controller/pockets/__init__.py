"""The host end of the pocket nodes: bytes, frames, reports, device time."""
