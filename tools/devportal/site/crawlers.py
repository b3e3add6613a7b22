"""What crawlers look for at the root of a site: a sitemap with absolute addresses, and where it is."""

from pathlib import Path
from urllib.parse import urljoin, urlsplit


def write_for_crawlers(folder: Path, site_url: str) -> None:
    """Take away the sitemap where the site's address is not known: it is empty then, which no reader accepts.

    Where the site is the root of its host, `robots.txt` names the sitemap; one that is there already stays.
    """
    if not site_url:
        for name in ("sitemap.xml", "sitemap.xml.gz"):
            (folder / name).unlink(missing_ok=True)
        return
    robots = folder / "robots.txt"
    if urlsplit(site_url).path in ("", "/") and not robots.exists():
        sitemap = urljoin(f"{site_url.rstrip('/')}/", "sitemap.xml")
        robots.write_text(f"User-agent: *\nAllow: /\n\nSitemap: {sitemap}\n", encoding="utf-8")
