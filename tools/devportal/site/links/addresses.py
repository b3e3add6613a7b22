"""What is an address of the web, such as a site is published at."""

from urllib.parse import urlsplit

from devportal.errors import InvalidSettings


def is_address(text: str) -> bool:
    """Say whether a text is a whole address of the web: scheme, host, and a port that is one."""
    try:
        split = urlsplit(text)
        return split.scheme in {"http", "https"} and bool(split.hostname) and split.port != 0
    except ValueError:
        return False


def refuse_no_address(site_url: str) -> None:
    """Raise InvalidSettings for a `--site-url` that is given and is none."""
    if site_url and not is_address(site_url):
        raise InvalidSettings(
            f"--site-url: {site_url!r} is no address of the web",
            help="write it with its scheme, such as https://developers.example.com/",
        )
