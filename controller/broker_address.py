"""The broker of a configuration as a URL, for whoever connects to it."""

from urllib.parse import quote, urlsplit, urlunsplit

from calibration.refusal import Refusal
from controller.config import BrokerSettings

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Listening on all of a machine's addresses; how that machine itself reaches it."""


def reading_url(settings: BrokerSettings) -> str:
    """Where this machine reads the feed; raises Refusal."""
    if settings.url:
        return signed_in(settings)
    host = EVERYWHERE.get(settings.host, settings.host)
    return f"mqtt://{f'[{host}]' if ':' in host else host}:{settings.port}"


def signed_in(settings: BrokerSettings) -> str:
    """The address of somebody else's broker with user and password; raises Refusal."""
    if not settings.user:
        return settings.url
    password = ""
    if settings.password_file is not None:
        try:
            password = settings.password_file.read_text().strip()
        except OSError as error:
            raise Refusal(
                f"broker.password_file {settings.password_file} cannot be read "
                f"({error.strerror}): correct the path or its permissions"
            ) from None
    parts = urlsplit(settings.url)
    who = f"{quote(settings.user, safe='')}:{quote(password, safe='')}"
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{who}@{place}"))
