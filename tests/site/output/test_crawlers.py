"""A sitemap where addresses are known, and nothing that misleads where they are not."""

from pathlib import Path

import pytest

from devportal.site.output.llms import write_for_crawlers


def test_an_empty_sitemap_is_taken_away(folder: Path) -> None:
    """Without the site's address there is none in it."""
    for name in ("sitemap.xml", "sitemap.xml.gz"):
        (folder / name).write_text("<urlset/>", encoding="utf-8")

    write_for_crawlers(folder, "")

    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("url", ["https://a.example", "https://a.example/"])
def test_robots_are_told_of_the_sitemap(url: str, folder: Path) -> None:
    """At the root of a host, which is where they look."""
    write_for_crawlers(folder, url)

    text = (folder / "robots.txt").read_text(encoding="utf-8")
    assert text == "User-agent: *\nAllow: /\n\nSitemap: https://a.example/sitemap.xml\n"


def test_robots_do_not_look_below_a_root(folder: Path) -> None:
    """A site below a path has no say over its host."""
    write_for_crawlers(folder, "https://a.example/docs/")

    assert list(folder.iterdir()) == []


def test_rules_of_the_owner_stay(folder: Path) -> None:
    """A `robots.txt` among the sources is not replaced."""
    (folder / "robots.txt").write_text("Disallow: /\n", encoding="utf-8")

    write_for_crawlers(folder, "https://a.example/")

    assert (folder / "robots.txt").read_text(encoding="utf-8") == "Disallow: /\n"
