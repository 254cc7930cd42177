"""What systemd is told: that we are ready, and that our work goes on.

A datagram to the socket named in NOTIFY_SOCKET (sd_notify(3)); without systemd
nothing happens. The watchdog must only be fed by the loop that does the work and
only while its inputs are fresh (docs/failures.md, D9): the caller decides that.
"""

import os
import socket


def notify(*words: str) -> None:
    """Send states such as READY=1, WATCHDOG=1, STOPPING=1 or STATUS=text."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):  # abstract socket
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
        try:
            out.sendto("\n".join(words).encode(), address)
        except OSError:
            return  # systemd restarts us if it wanted to hear this


def watchdog_interval_s() -> float | None:
    """How often systemd wants to hear WATCHDOG=1 (a third of its limit), or None."""
    limit_us = os.environ.get("WATCHDOG_USEC", "")
    ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(limit_us) / 3e6 if ours and limit_us.isdigit() else None
