"""Files of a site: those of its folder or address, and nothing else."""

from pathlib import Path

import pytest

from devportal.docs import site_source
from devportal.docs.site_source import SiteFolder, WebSite, open_site, refuse_empty_site, safe_uri
from devportal.errors import InvalidSettings, UnreadableInput

from .sites import serve_responses, write_site


def test_files_of_a_folder_are_read(tmp_path: Path) -> None:
    """A file that is not there is None."""
    site = open_site(str(write_site(tmp_path, {"a/b.md": "\ufeff# B\n"})))

    assert site.read("a/b.md") == "# B\n"
    assert site.read("a/c.md") is None
    assert site.read("a/b.md/c.md".replace("b.md/", "")) is None


@pytest.mark.parametrize(
    "uri",
    [
        "../secret.md",
        "a/../../secret.md",
        "%2e%2e/secret.md",
        "/etc/passwd",
        "a//b.md",
        "",
        "http://x/y",
        "a\\b",
        "a\0b",
    ],
)
def test_other_addresses_are_refused(uri: str, tmp_path: Path) -> None:
    """Whatever leads out of the site, written in any way."""
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    site = SiteFolder(folder=write_site(tmp_path / "site", {"index.md": "#"}))

    with pytest.raises(UnreadableInput, match="is not a file of the site"):
        site.read(uri)


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    """They lead wherever somebody likes."""
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    folder = write_site(tmp_path / "site", {"index.md": "#"})
    (folder / "a.md").symlink_to(tmp_path / "secret.md")

    with pytest.raises(UnreadableInput, match="it is a link"):
        SiteFolder(folder=folder).read("a.md")


def test_large_files_and_other_encodings_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One byte more than the limit is too much."""
    site = SiteFolder(folder=write_site(tmp_path, {"a.md": "12345", "b.md": "123456", "c.md": b"\xff\xfe"}))
    monkeypatch.setattr(site_source, "MAX_BYTES", 5)

    assert site.read("a.md") == "12345"
    with pytest.raises(UnreadableInput, match="has more than 5 bytes"):
        site.read("b.md")
    with pytest.raises(UnreadableInput, match="is not UTF-8"):
        site.read("c.md")


def test_files_of_an_address_are_requested_once() -> None:
    """With GET, below the address."""
    with serve_responses({"/portal/a%20b.md": (200, {}, b"# A\n")}) as (address, requests):
        site = open_site(f"{address}/portal")

        assert site.read("a b.md") == site.read("a b.md") == "# A\n"
        assert site.read("c.md") is None
    assert requests == ["GET /portal/a%20b.md", "GET /portal/c.md"]


def test_redirects_stay_within_the_site() -> None:
    """One to another host or path is an error that names it; one within the site is followed."""
    with (
        serve_responses({"/stolen": (200, {}, b"stolen")}) as (other, others),
        serve_responses(
            {
                "/portal/away.md": (302, {"Location": f"{other}/stolen"}, b""),
                "/portal/up.md": (301, {"Location": "/elsewhere.md"}, b""),
                "/portal/file.md": (302, {"Location": "file:///etc/passwd"}, b""),
                "/portal/moved.md": (308, {"Location": "new.md"}, b""),
                "/portal/new.md": (200, {}, b"new"),
                "/portal/loop.md": (302, {"Location": "loop.md"}, b""),
            }
        ) as (address, _),
    ):
        site = open_site(f"{address}/portal/")

        assert site.read("moved.md") == "new"
        for uri in ("away.md", "up.md", "file.md"):
            with pytest.raises(UnreadableInput, match=r"outside the site|is not allowed"):
                site.read(uri)
        with pytest.raises(UnreadableInput):
            site.read("loop.md")
    assert others == []


def test_hostile_servers_are_clear_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body without end, one that is packed, a refusal, and a server that is not there."""
    monkeypatch.setattr(site_source, "MAX_BYTES", 1000)
    with serve_responses(
        {
            "/large": (200, {}, b"x" * 1001),
            "/packed": (200, {"Content-Encoding": "gzip"}, b"x"),
            "/refused": (403, {}, b""),
        }
    ) as (address, _):
        site = open_site(address)
        for uri, message in (("large", "more than 1,000 bytes"), ("packed", "'gzip'"), ("refused", "403")):
            with pytest.raises(UnreadableInput, match=message):
                site.read(uri)
    with pytest.raises(UnreadableInput, match="cannot be read"):
        open_site(address).read("index.md")


@pytest.mark.parametrize(
    "site",
    ["ftp://a/b", "file:///etc/", "http://", "https://u:p@a/", "https://a/?q", "https://a/#b", "http://a:x/"],
)
def test_other_addresses_are_no_sites(site: str) -> None:
    """Only http and https, without user name, query and fragment."""
    with pytest.raises(InvalidSettings, match="is not the address of a site") as refused:
        open_site(site)

    assert "u:p" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gone", "there is no folder"),
        ("file", "is not a folder"),
        ("folder", "there is no site in the folder"),
    ],
)
def test_what_is_not_the_folder_of_a_site_is_an_error(tmp_path: Path, name: str, message: str) -> None:
    """It says what to do."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()

    with pytest.raises(UnreadableInput, match=rf"{message}(.|\n)*devportal build"):
        refuse_empty_site(open_site(str(tmp_path / name)))


def test_uris_are_decoded() -> None:
    """As they are written in links."""
    assert safe_uri("a%20b/c.md") == "a b/c.md"
    assert WebSite(base_url="https://a/").name == "https://a/"
