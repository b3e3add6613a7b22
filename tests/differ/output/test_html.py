"""The page: it stands alone, keeps its own policy, and trusts no contract."""

import base64
import hashlib
import re

from lxml import html as parser  # type: ignore[import-untyped]

from devportal.reporting import Format

from .comparing import hostile_diff, small_diff, write_diff


def test_policy_lets_in_the_one_style_sheet_and_nothing_else() -> None:
    """The hash is that of the style sheet as it stands in the page; no attribute has a style."""
    page = write_diff(small_diff(), Format.HTML)
    root = parser.fromstring(page)
    (policy,) = root.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}';")
    assert root.xpath("//@style | //script | //link | //img | //iframe") == []
    assert [name for name in root.xpath("//@*") if getattr(name, "attrname", "").startswith("on")] == []
    assert "url(" not in style
    assert "@import" not in style


def test_contract_brings_in_no_markup() -> None:
    """What looks like a tag is text."""
    page = write_diff(hostile_diff(), Format.HTML)

    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_option_is_never_broken() -> None:
    """It stands in an element of its own, whose style keeps it on a line."""
    page = write_diff(small_diff(), Format.HTML)
    (option,) = parser.fromstring(page).xpath("//p[@class='outcome fails']/code/text()")

    assert option == "--fail-on breaking"
    assert re.search(r"\.outcome code \{[^}]*white-space: nowrap", page)


def test_every_link_leads_to_a_section() -> None:
    """The tiles with a number lead to their changes."""
    root = parser.fromstring(write_diff(small_diff(), Format.HTML))
    links = [link.removeprefix("#") for link in root.xpath("//a/@href")]

    assert links == ["breaking", "risky", "compatible", "lifecycle", "documentation"]
    assert [link for link in links if not root.xpath(f"//h2[@id='{link}']")] == []


def test_ids_are_unique() -> None:
    """Each change can be linked to by its fingerprint."""
    report = small_diff()
    ids = parser.fromstring(write_diff(report, Format.HTML)).xpath("//@id")

    assert len(ids) == len(set(ids))
    assert {f"c-{change.fingerprint}" for change in report.comparison.changes} <= set(ids)
