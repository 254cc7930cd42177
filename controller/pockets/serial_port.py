"""Serial ports: opening one for ourselves alone, naming it, explaining its failure.

pyserial raises SerialException, a bare OSError or termios.error for the same pulled
plug: PORT_ERRORS are all of them. Only this module knows pyserial.
"""

import contextlib
import errno
import termios
from pathlib import Path

import serial

BAUD = 500_000
"""Exact for a 16 MHz ATmega; 115,200 would be 2.1 percent off."""
PORT_ERRORS = (OSError, termios.error, ValueError)
"""SerialException is an OSError, termios.error is not; pyserial says ValueError for
a port whose driver takes no such speed."""
CFLAG = 2

Port = serial.Serial


def open_port(path: str) -> Port:
    """Open a port for ourselves alone, its old input thrown away.

    Opening resets boards whose reset hangs on DTR; closing it shall not do so too, so
    that hang-up on close is switched off. Raises one of PORT_ERRORS.
    """
    port = Port(path, BAUD, timeout=0, exclusive=True)
    with contextlib.suppress(*PORT_ERRORS):
        attributes = termios.tcgetattr(port.fileno())
        attributes[CFLAG] &= ~termios.HUPCL
        termios.tcsetattr(port.fileno(), termios.TCSANOW, attributes)
    return port


def is_folder(place: str) -> bool:
    """Whether a setting names a folder of ports rather than one port."""
    return place.endswith("/") or Path(place).is_dir()


def candidates(place: str) -> tuple[str, ...]:
    """The ports in a folder, each once, under the names that stay.

    What is no character device is none: a folder named by mistake is left in peace.
    Cheap adapters of one kind share a single by-id name, so by-path is read too.
    """
    folder = Path(place)
    links = sorted(folder.glob("*"))
    if folder.name == "by-id":
        links += sorted((folder.parent / "by-path").glob("*"))
    ports = {one.resolve(): str(one) for one in reversed(links) if one.is_char_device()}
    return tuple(sorted(ports.values()))


def stable_name(path: str, links: Path = Path("/dev/serial")) -> str | None:
    """A name of this port that stays when ports are renumbered, if there is one.

    by-path first: cheap adapters of one kind share a single by-id name.
    """
    for folder in ("by-path", "by-id"):
        for link in sorted((links / folder).glob("*")):
            if link.resolve() == Path(path).resolve() and str(link) != path:
                return str(link)
    return None


def explain(path: str, error: Exception) -> str:
    """What a failed port needs, in one line."""
    match _number(error):
        case errno.ENOTTY | errno.EINVAL | errno.EISDIR:
            return f"{path} is no serial port: name the pocket node's"
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return f"no port {path}: plug the pocket node in or correct the setting"
        case errno.EACCES | errno.EPERM:
            return f"no access to {path}: add this account to the group dialout"
        case errno.EAGAIN | errno.EBUSY:
            return f"{path} is in use by another program: end that one first"
        case _:
            return f"{path} failed: {error}"


def _number(error: Exception) -> int | None:
    """The system's number of a failure; pyserial may hide it in what it came from."""
    for one in (error, error.__context__):
        number = getattr(one, "errno", None)
        if isinstance(one, termios.error):
            number = one.args[0]
        if isinstance(number, int):
            return number
    return None
