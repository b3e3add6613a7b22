"""The logo that a contract brings, and what is never read or published as one."""

import base64
from pathlib import Path

import pytest

from devportal.contract import load_contract
from devportal.contract.read.logo import Logo
from devportal.contract.read.svg_content import is_plain_svg

_SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1z"/></svg>'


def _logo(folder: Path, url: str) -> Logo | None:
    contract = folder / "openapi.yaml"
    contract.write_text(
        f"openapi: 3.1.0\ninfo: {{title: T, version: '1', x-logo: {{url: {url!r}}}}}\npaths: {{}}\n"
    )
    return load_contract(contract).logo


def test_a_file_beside_the_contract_is_the_logo(tmp_path: Path) -> None:
    """A path from the contract's folder leads to an image."""
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "my logo.JPEG").write_bytes(b"jpeg")

    logo = _logo(tmp_path, "./images/my%20logo.JPEG")

    assert logo == Logo(suffix=".jpg", content=b"jpeg", file="images/my logo.JPEG")


@pytest.mark.parametrize(
    "url",
    [
        f"data:image/svg+xml;base64,{base64.b64encode(_SVG.encode()).decode()}",
        f"data:image/svg+xml;charset=utf-8,{_SVG.replace('<', '%3C')}",
    ],
)
def test_a_data_address_is_the_logo(tmp_path: Path, url: str) -> None:
    """An image in the contract itself needs no file."""
    assert _logo(tmp_path, url) == Logo(suffix=".svg", content=_SVG.encode())


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/logo.png",
        "//example.com/logo.png",
        "../outside.png",
        "%2e%2e/outside.png",
        "link.png",
        "missing.png",
        "openapi.yaml",
        "large.png",
        "script.svg",
        "loading.svg",
        "data:text/html,x",
        "data:image/png;base64,a",
        "http://[",
        "",
    ],
)
def test_other_addresses_are_no_logo(tmp_path: Path, url: str) -> None:
    """Images of other hosts and folders, other files, and active images are not published."""
    folder = tmp_path / "contract"
    folder.mkdir()
    (tmp_path / "outside.png").write_bytes(b"png")
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    (folder / "large.png").write_bytes(b" " * 600_000)
    (folder / "script.svg").write_text(_SVG.replace("<path", "<script>alert(1)</script><path"))
    (folder / "loading.svg").write_text(_SVG.replace("<path", '<image href="https://e.com/a.png"/><path'))

    assert _logo(folder, url) is None


def test_a_link_that_leads_back_to_itself_is_no_logo(tmp_path: Path) -> None:
    """The contract can be read without it."""
    (tmp_path / "circle.png").symlink_to("circle.png")

    assert _logo(tmp_path, "circle.png") is None


@pytest.mark.parametrize(
    "inside",
    [
        '<style>.a{fill:url(#b)}</style><linearGradient id="b"/><path class="a" style="fill:#fff" d="M0 0"/>',
        '<x:use xmlns:x="http://www.w3.org/2000/svg" href="#b"/><image href="data:image/png;base64,AA=="/>',
        '<metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>',
        '<animate attributeName="opacity" values="0;1"/><a href="#b"/><?editor x?>',
    ],
)
def test_drawings_of_all_kinds_are_plain(inside: str) -> None:
    """Styles, gradients, metadata of editors and animations run nothing and load nothing."""
    head = '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/a.dtd">'

    assert is_plain_svg(f'{head}<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>'.encode())


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>',
        '<path onload="alert(1)"/>',
        '<a href="java&#115;cript:alert(1)"/>',
        '<a xmlns:x="http://www.w3.org/1999/xlink" x:href="javascript&#58;alert(1)"/>',
        '<set attributeName="href" to="java&#115;cript:alert(1)"/>',
        '<set attributeName="xlink:href" to="data:image/png,"/>',
        '<set attributeName=" onclick " to="alert(1)"/>',
        '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
        '<iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script>alert(1)&lt;/script>"/>',
        '<?xml-stylesheet type="text/xsl" href="#a"?>',
        "<style>@import 'https://e.com/a.css';</style>",
        "<style>a{fill:u<![CDATA[rl(https://e.com/a)]]>}</style>",
        r"<style>a{fill:u\72l(https://e.com/a)}</style>",
        '<path fill="url( &quot;https://e.com/a#b&quot;)"/>',
        '<image href="/other.png"/>',
        "<path>",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_what_is_active_in_a_browser_is_not_plain(inside: str, encoding: str) -> None:
    """However it is spelled: with prefixes, entities, escapes, in another namespace or another encoding."""
    assert not is_plain_svg(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>'.encode(encoding))


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]><svg xmlns="http://www.w3.org/2000/svg"/>',
        '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>',
        '<svg xmlns="http://www.w3.org/1999/xhtml"/>',
        "<svg/>",
        "",
    ],
)
def test_only_documents_of_svg_are_plain(text: str) -> None:
    """Declarations that add attributes or texts, other namespaces and other files are refused."""
    assert not is_plain_svg(text.encode())
