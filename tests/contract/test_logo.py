"""The logo that a contract brings, and what is never read or published as one."""

import base64
from pathlib import Path

import pytest

from devportal.contract import load_contract
from devportal.contract.logo import Logo

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
