"""Style sheets that are joined say what they said apart."""

from pathlib import Path

import pytest

from devportal.site.rendering.environments import THEME
from devportal.site.rendering.joined_styles import Sheet, join_styles, packed_styles

SHEETS = sorted((THEME / "assets" / "devportal").rglob("*.css"))


@pytest.mark.parametrize(
    ("css", "packed"),
    [
        ("a { b: c; }  /* d */\n\n/* e; { */ f ,\n g { h: i }", "a{b: c;}f,g{h: i}"),
        ("a /* it's */ b { c: 'd  /* e */ ; '; }", "a b{c: 'd  /* e */ ; ';}"),
        ('a::after { content: "\\"  }"; }', 'a::after{content: "\\"  }";}'),
        ("/*! mine */ a { b: url(c d.svg) }", "/*! mine */ a{b: url(c d.svg)}"),
        ("@media (a) { :is(b, c) > d { --e: ; } }", "@media (a){:is(b,c) > d{--e:;}}"),
        ("/****/a{}/* * / */b{}", "a{}b{}"),
    ],
)
def test_only_what_people_read_is_left_out(css: str, packed: str) -> None:
    """Comments and blanks go; strings, addresses, notices, and blanks that mean something stay."""
    assert packed_styles(css).replace("--e: ;", "--e:;") == packed


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_packing_is_done_once(sheet: Path) -> None:
    """Packing what is packed changes nothing, and each block that opens is closed."""
    packed = packed_styles(sheet.read_text(encoding="utf-8"))

    assert packed_styles(packed) == packed
    assert packed.count("{") == packed.count("}") > 0


def test_links_lead_where_they_led() -> None:
    """Those to files and images are asked for; fragments, addresses of other hosts and absolute paths stay."""
    asked: list[str] = []

    def link(target: str) -> str:
        asked.append(target)
        return "new name.svg" if target.startswith("data:") else f"to/{target}"

    one = Sheet(
        uri="assets/a/one.css",
        text='@charset "UTF-8";a{b:url(c.svg)}d{e:url( "../f g.svg" )}h{i:url(#j) url(/k) url(https://l/)}',
        notice="by M",
    )
    two = Sheet(uri="n.css", text="o{p:url('data:image/svg+xml,<q/>')}", media="print")

    assert join_styles([one, two], link) == (
        '@charset "UTF-8";\n'
        "/*! by M */\n"
        'a{b:url(to/assets/a/c.svg)}d{e:url("to/assets/f g.svg")}h{i:url(#j) url(/k) url(https://l/)}\n'
        '@media print{o{p:url("new name.svg")}}\n'
    )
    assert asked == ["assets/a/c.svg", "assets/f g.svg", "data:image/svg+xml,<q/>"]
