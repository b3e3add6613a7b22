"""The address at which a site will be published, and the check that it is a web address."""

import re
from urllib.parse import urlsplit

from devportal.errors import InvalidSettings, hide_credentials

DEFAULT_PORTS = {"http": 80, "https": 443}
"""The ports that need not be named."""
_EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
_NOT_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f\"<>\\^`{|}]")
"""What is written in no address as it is (RFC 3986, 2)."""


def is_web_address(text: str) -> bool:
    """Return whether a text is a whole address of the web: scheme, host, and a port that is one."""
    try:
        split = urlsplit(text)
        whole = split.scheme in DEFAULT_PORTS and bool(split.hostname) and split.port != 0
    except ValueError:
        return False
    return whole and not _NOT_IN_ADDRESS.search(text)


def is_email_address(text: str) -> bool:
    """Return whether a text is an email address (HTML, "valid e-mail address")."""
    return _EMAIL.fullmatch(text) is not None


def refuse_invalid_site_url(site_url: str, *, name: str = "--site-url") -> None:
    """Raise InvalidSettings for the address of a site that is given, and that no page can lie below."""
    if not site_url:
        return
    if not is_web_address(site_url):
        raise InvalidSettings(
            f"{name}: {hide_credentials(site_url)!r} is not an address of the web",
            help="write it with its scheme, such as https://developers.example.com/",
        )
    if urlsplit(site_url).username is not None:
        raise InvalidSettings(
            f"{name}: {hide_credentials(site_url)!r} has a user name, and every page would show it and the password",
            help="leave out what is before '@'",
        )
    if "?" in site_url or "#" in site_url:
        raise InvalidSettings(
            f"{name}: {hide_credentials(site_url)!r} has a query or a fragment, and no page can lie below one",
            help="leave out what begins with '?' or '#'",
        )
