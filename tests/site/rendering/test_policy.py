"""Style sheets of the theme keep their icons, in files instead of addresses with `data:`."""

from pathlib import Path

from devportal.site.rendering.theme_assets import externalise_icons, without_icons

ICON = "<svg xmlns='http://www.w3.org/2000/svg'><path d='M1 (2)'/></svg>"


def test_an_icon_becomes_a_file() -> None:
    """Quoted or not, with a character set or not, in its decoded form, and each icon once."""
    css = (
        f'a{{mask:url("data:image/svg+xml;charset=utf-8,{ICON}")}}'
        f'b{{mask:url("data:image/svg+xml,{ICON}")}}'
        "c{mask:url(data:image/svg+xml,%3Csvg/%3E)}"
    )

    rewritten, icons = without_icons(css)

    assert sorted(icons.values()) == [ICON.encode(), b"<svg/>"]
    assert "data:" not in rewritten
    for name in icons:
        assert f"url(../devportal/icons/{name})" in rewritten


def test_other_addresses_stay() -> None:
    """Files, gradients and pictures of another kind are not touched."""
    css = "a{background:url(x.png)}b{background:url(data:image/png;base64,AAAA)}"

    assert without_icons(css) == (css, {})


def test_a_built_site_gets_the_files(folder: Path) -> None:
    """Below the assets, once; a second run changes nothing."""
    sheets = folder / "assets" / "stylesheets"
    sheets.mkdir(parents=True)
    (sheets / "main.css").write_text(f'a{{mask:url("data:image/svg+xml,{ICON}")}}', encoding="utf-8")

    externalise_icons(folder)
    once = (sheets / "main.css").read_text(encoding="utf-8")
    externalise_icons(folder)

    (icon,) = (folder / "assets" / "devportal" / "icons").iterdir()
    assert icon.read_text(encoding="utf-8") == ICON
    assert (sheets / "main.css").read_text(encoding="utf-8") == once
    assert (sheets / once.split("(")[1].split(")")[0]).resolve() == icon.resolve()
