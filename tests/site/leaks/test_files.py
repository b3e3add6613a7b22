"""Where leaks are found: in every kind of file of a site, however values stand there."""

import bz2
import gzip
import json
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import partial
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.parallel import MIN_TASKS
from devportal.site.leaks.detectors import Leak
from devportal.site.leaks.file_bytes import View, decoded_views
from devportal.site.leaks.private_values import ValueKind
from devportal.site.leaks.unpacking import TOTAL_BYTES, Budget, UnreadableFile, unpacked_index
from devportal.site.search.columns import lines_of, pack_column
from tests.catalog.own_book import net
from tests.growth import counted_steps
from tests.site.leaks.catalog import DRAFT, NOTE, draft, draft_of, leaks_of, search_for

ID = DRAFT.id


def places(name: str, content: bytes | str) -> list[tuple[str, int]]:
    """Return file and offset of each leak, all of them of the draft."""
    found = leaks_of(name, content, draft())
    assert {leak.ref for leak in found} <= {DRAFT.ref}
    return [(leak.file, leak.offset) for leak in found]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("index.html", "<p>å ♥ <em>The rate</em> ¤</p>"),
        ("index.html", '<a title="å ¤" href="#">x</a>'),
        ("index.html", "<!-- å ¤ -->"),
        ("index.html", '<script type="application/json">{"a": "¤"}</script>'),
        ("index.html", '<meta name="description" content="Rates: ¤">'),
        ("rates.json", '{"rows": [{"row_id": "¤"}]}'),
        ("rates.csv", 'row_id,product\n"¤",sms\n'),
        ("feed.rss", "<rss><item><guid>tag:x,2026:¤</guid></item></rss>"),
        ("search/search_index.json", '{"docs":[{"text":"<p>¤</p>"}]}'),
        ("rates/index.md", "| a | ¤ |\n"),
        ("map.svg", "<svg><title>¤</title></svg>"),
        ("start.js", 'const row="¤";'),
        ("page.css", '.a::after{content:"¤"}'),
        ("unknown.bin", "\0\1\2¤\0"),
    ],
)
def test_identifier_is_found_in_each_kind_of_file(name: str, content: str) -> None:
    """In text, attributes, comments, scripts, data, feeds, the search index, twins, drawings and styles."""
    planted = content.replace("¤", ID).encode()

    assert places(name, planted) == [(name, planted.index(ID.encode()))]
    assert places(name, content.replace("¤", "no-sms-fjord")) == []


@pytest.mark.parametrize(
    "written",
    [
        "0.<b>4242</b>",
        "<span>0</span>.4242",
        "0.42<sup>42</sup>",
        "<b>0</b>.<small class='x y'>4242</small>",
        "<span>0.42</span><span>42</span>",
        "0.42<!-- -->42",
        "0.42<wbr>42",
        "0.42&shy;42",
        "0.42\N{SOFT HYPHEN}42",
        "0.42\N{ZERO WIDTH SPACE}42",
        "0&#46;4242",
        "0&period;4242",
        "0.&#52;242",
        "0.&#x34;242",
        "0.&amp;#52;242",
        "&#48;&#46;&#52;&#50;&#52;&#50;",
        "0.42<B>42</B>",
    ],
)
def test_price_is_found_across_markup(written: str) -> None:
    """Tags within a number, soft hyphens, references, references that are escaped themselves."""
    page = f"<tr><td>Norway</td><td>{written}</td></tr>".encode()

    found = leaks_of("index.html", page)

    assert [leak.kind for leak in found] == [ValueKind.PRICE]
    start = page.index(written.encode())
    assert start <= found[0].offset <= start + len(written.encode())


def test_what_is_broken_in_many_places_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A feed is HTML within XML, and each of its entries is escaped: their surroundings are the same bytes."""
    read: list[tuple[int, int]] = []

    def note(view: View, start: int, end: int) -> Iterator[View]:
        if not view.escape_depth:
            read.append((start, end))
        return decoded_views(view, start, end)

    monkeypatch.setattr("devportal.site.leaks.search.decoded_views", note)
    filler = "What a page says beside it. " * 50

    found = places("feed.rss", f"{filler}1&lt;b&gt;2&lt;/b&gt;3 " * 20 + ID)

    assert [file for file, _ in found] == ["feed.rss"]
    assert all(end <= start for (_, end), (start, _) in pairwise(read))


def test_place_of_what_is_broken_is_where_it_starts() -> None:
    """The offset is one of the file, not of what was read from it."""
    page = "<p>å&#229;</p><tr><td>Norway</td><td>å <i>x</i> 0.<b>4242</b></td></tr>"

    assert [leak.offset for leak in leaks_of("index.html", page)] == [page.encode().index(b"0.<b>")]


@pytest.mark.parametrize("written", ["1.<td>4242", "1.</p><p>4242", "1 .4242", "1.42 42"])
def test_parts_of_different_cells_are_no_number(written: str) -> None:
    """What readers see apart is not put together."""
    found = leaks_of("index.html", f"<p>Norway {written}</p>", draft_of(price=Decimal("1.4242")))

    assert found == []


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a.json", r'{"note": "no\u002dsms\u002dbrage"}'),
        ("a.json", r'{"note": "no-sms-br\u0061ge"}'),
        ("a.js", r'const a = "no-sms-br\x61ge";'),
        ("a.html", '<a href="?id=no%2Dsms%2dbrage">'),
        ("a.html", "<p>no-sms-<wbr>brage</p>"),
        ("a.html", "<p>no-<b>sms</b>-brage</p>"),
        ("a.html", "<p>no&#45;sms&#x2D;brage</p>"),
        ("a.html", "<p>no&hyphen;sms-brage</p>"),
        ("a.html", "<code>no-sms-</code><code>brage</code>"),
    ],
)
def test_identifier_is_found_however_it_is_escaped(name: str, written: str) -> None:
    """JSON and JavaScript escapes, percent-encoding, references, tags within it."""
    start = re.search(r"no[-%&\\]", written)

    assert start is not None
    assert [offset for _, offset in places(name, written)] == [start.start()]


@pytest.mark.parametrize(
    "written",
    [
        "Sør-Nett Åpen",
        "S&oslash;r-Nett &Aring;pen",
        "S&#248;r-Nett &#xC5;pen",
        r"S\u00f8r-Nett \u00c5pen",
        quote("Sør-Nett Åpen"),
        "S%c3%b8r-Nett+%C3%85pen",
        "Sør-Nett <i>Åpen</i>",
        "Sør-Nett\nÅpen",
        "SØR-NETT ÅPEN",
        r"Sør-Nett\nÅpen",
    ],
)
def test_name_with_letters_of_others_is_found_however_it_is_escaped(written: str) -> None:
    """References by name and number, JSON escapes, percent-encoding, tags and line breaks."""
    network = net(name="Sør-Nett Åpen", mcc="242", mnc="010")

    found = leaks_of("a.html", f"<p>see {written}</p>", draft_of(price=DRAFT.price, network=network))

    assert [(leak.kind, leak.offset) for leak in found] == [(ValueKind.NAME, 7)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_wide_text_is_read(encoding: str) -> None:
    """Spreadsheets and editors write two bytes for a character, with or without a mark at the start."""
    text = "row;land;pris\nå ♥ 😀;NO;0.4242\n"
    content = text.encode(encoding)

    found = leaks_of("rates.csv", content)

    plain = {"utf-16": "utf-16-le", "utf-32": "utf-32-le", "utf-8-sig": "utf-8"}.get(encoding, encoding)
    number = content.index("0.4242".encode(plain))
    assert [(leak.kind, leak.offset) for leak in found] == [(ValueKind.PRICE, number)]


def test_page_with_a_nul_in_it_is_still_a_page() -> None:
    """One byte that no text should have does not take away markup, row and country."""
    row = "<table><tr><td>Norway</td><td>0.4<b>242</b> EUR</td></tr></table>"

    found = leaks_of("prices/index.html", f"\0{row}")

    assert [leak.kind for leak in found] == [ValueKind.PRICE]


def test_file_name_is_searched() -> None:
    """An address tells as much as a page."""
    assert places(f"rates/{ID}/index.html", b"") == [(f"rates/{ID}/index.html", 6)]


# ---- packed ------------------------------------------------------------------------------------


def zip_archive(**members: bytes | str) -> bytes:
    """Return a zip archive."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return out.getvalue()


TEXT = f"<loc>https://a.example/{ID}/</loc>".encode()


@pytest.mark.parametrize(
    ("name", "content", "inner"),
    [
        ("sitemap.xml.gz", gzip.compress(TEXT, mtime=0), "!"),
        ("two.gz", gzip.compress(b"<urlset>" * 1, mtime=0) + gzip.compress(TEXT, mtime=0), "!"),
        ("rates.csv.bz2", bz2.compress(TEXT), "!"),
        ("rates.csv.xz", lzma.compress(TEXT), "!"),
        ("rates.lzma", lzma.compress(TEXT, lzma.FORMAT_ALONE), "!"),
        ("rates.zip", zip_archive(rates_csv=TEXT), "!rates.csv"),
        ("no-suffix", zip_archive(rates_csv=TEXT), "!rates.csv"),
        ("deep.zip", zip_archive(a_zip=zip_archive(b_gz=gzip.compress(TEXT, mtime=0))), "!a.zip!b.gz!"),
    ],
)
def test_packed_files_are_read(name: str, content: bytes, inner: str) -> None:
    """Whatever their names are, one within another too; the offset is one of what was packed."""
    offset = TEXT.index(ID.encode()) + (8 if name == "two.gz" else 0)

    assert places(name, content) == [(f"{name}{inner}", offset)]


def test_names_and_comments_in_an_archive_are_read() -> None:
    """They can be seen without unpacking."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(f"{ID}.csv", "nothing")
        archive.comment = b"made of 0.4242 for Norway"

    assert {leak.kind for leak in leaks_of("a.zip", out.getvalue())} == {
        ValueKind.IDENTIFIER,
        ValueKind.PRICE,
    }


def test_workbook_is_read_as_a_table() -> None:
    """A price in a sheet belongs to the market beside it, whose name is in another file of the workbook."""
    strings = "<sst><si><t>Sweden</t></si><si><r><t>Nor</t></r><r><t>way</t></r></si></sst>"
    sheet = '<row r="1"><c r="A1" t="s"><v>{}</v></c><c r="B1"><v>0.42420000000000002</v></c></row>'
    name = "xl__worksheets__sheet1_xml"

    found = leaks_of("rates.xlsx", zip_archive(**{name: sheet.format(1), "xl__sharedStrings_xml": strings}))

    assert [leak.kind for leak in found] == [ValueKind.PRICE]
    assert (
        leaks_of("rates.xlsx", zip_archive(**{name: sheet.format(0), "xl__sharedStrings_xml": strings})) == []
    )


def chunk(kind: bytes, body: bytes) -> bytes:
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


PNG = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
END = chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    "content",
    [
        PNG + chunk(b"tEXt", b"Title\0" + ID.encode()) + END,
        PNG + chunk(b"zTXt", b"Title\0\0" + zlib.compress(ID.encode())) + END,
        PNG + chunk(b"iTXt", b"Title\0\0\0en\0\0" + ID.encode()) + END,
        PNG + chunk(b"iTXt", b"Title\0\1\0en\0\0" + zlib.compress(ID.encode())) + END,
        PNG + END + ID.encode(),
    ],
)
def test_texts_of_an_image_are_read(content: bytes) -> None:
    """All kinds of text in a PNG, and what was put behind its end."""
    found = leaks_of("preview.png", content)

    assert [leak.ref for leak in found] == [DRAFT.ref]
    if ID.encode() in content:
        assert found[0].offset == content.index(ID.encode())


def unreadable_files(name: str, content: bytes, budget: Budget | None = None) -> list[UnreadableFile]:
    """Return what could not be searched."""
    return [
        leak
        for leak in search_for((draft(),)).search_file(name, content, budget)
        if isinstance(leak, UnreadableFile)
    ]


def encrypted_zip() -> bytes:
    """Return a zip archive whose one member says that it is encrypted."""
    data = bytearray(zip_archive(rates_csv=TEXT))
    data[6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.zip", encrypted_zip(), "encrypted"),
        ("a.html.br", b"\x0b\x02\x80hello\x03", "packed as br"),
        ("a.zst", b"\x28\xb5\x2f\xfd\x00", "Zstandard"),
        ("a", b"7z\xbc\xaf\x27\x1c", "7z"),
        ("a.gz", gzip.compress(TEXT)[:-12], "cannot be unpacked"),
        ("a.gz", gzip.compress(TEXT)[:20] + b"zzzz" + gzip.compress(TEXT)[24:], "cannot be unpacked"),
        ("a.zip", zip_archive(rates_csv=TEXT)[:40], "cannot be unpacked"),
    ],
    ids=["encrypted", "brotli", "zstandard", "7z", "cut", "damaged", "zip-cut"],
)
def test_what_cannot_be_read_is_told(name: str, content: bytes, why: str) -> None:
    """Silence would say that nothing leaks."""
    assert [why in unreadable_file.why for unreadable_file in unreadable_files(name, content)] == [True]


def test_archive_behind_other_bytes_is_read() -> None:
    """As a program that unpacks itself is, or an image with something behind it."""
    content = b"GIF89a" + ID.encode()[:5] + zip_archive(rates_csv=TEXT)

    assert places("map.gif", content) == [("map.gif!rates.csv", TEXT.index(ID.encode()))]
    assert places("map.gif", content[:-30]) == []


@pytest.mark.parametrize(
    ("text", "is_partial"),
    [
        (f"BT ({ID}) Tj ET", False),
        (f"BT ({ID}) Tj ET <</FontFile2 9 0 R>>", True),
        (f"BT ({ID}) Tj [(a) 20 (b)] TJ ET", True),
        (f"BT ({ID}) Tj <0041> Tj ET", True),
    ],
)
def test_pdf_is_read_as_far_as_it_can_be(text: str, is_partial: bool) -> None:  # noqa: FBT001
    """Packed text is searched; text in codes of the PDF's own fonts, or in pieces, is a warning."""
    packed = zlib.compress(text.encode())
    content = b"%PDF-1.7\n1 0 obj <</Filter/FlateDecode>>\nstream\n" + packed + b"\nendstream\n%%EOF"

    assert places("a.pdf", content) == [("a.pdf!stream 0", 4)]
    expected = [("a.pdf", True)] if is_partial else []
    assert [
        (unreadable_file.name, unreadable_file.is_partial)
        for unreadable_file in unreadable_files("a.pdf", content)
    ] == expected


def pdf_of(content: str) -> bytes:
    """Return a PDF with a packed stream."""
    packed = zlib.compress(content.encode())
    return b"%PDF-1.7\n1 0 obj <</Filter/FlateDecode>>\nstream\n" + packed + b"\nendstream\n%%EOF"


@pytest.mark.parametrize(
    ("content", "is_found"),
    [
        ("BT (Network 242 \\(097\\)) Tj ET", True),
        ("BT (Network 242.097 l) Tj ET", True),
        ("BT (Network \\)) Tj ET 180.28 457.80 m 242.097 457.80 l S", False),
        ("BT (Network) Tj ET q 1 0 0 1 242 097 cm /F1 9 Tf Q", False),
        ("Network 242.097 457.80 l S", True),
        ("BT (Network) Tj ET\nNetwork 242.097", True),
        ("(Network) 242.097", True),
    ],
)
def test_numbers_of_drawing_operators_are_no_codes(content: str, is_found: bool) -> None:  # noqa: FBT001
    """What a page of a PDF says is in strings. What is no page, such as an attachment, is searched as a whole."""
    rate = net(name="Brage Nett", mcc="242", mnc="097")
    found = leaks_of("a.pdf", pdf_of(content), draft_of(network=rate))

    assert bool(found) == is_found


@pytest.mark.parametrize(
    ("content", "is_found"),
    [
        ("BT (0.4242 USD) Tj ET BT (a) Tj ET", False),
        ("BT [(0.4242 USD)] TJ ET", False),
        ("BT (ET 0.4242 USD) Tj ET", True),
        ("BT (0.4242 USD) Tj ET (ET) Tj", True),
    ],
)
def test_operators_of_drawings_are_no_markets(content: str, is_found: bool) -> None:  # noqa: FBT001
    """`BT` and `ET` begin and end a text: they are not Bhutan and Ethiopia."""
    prices = [
        draft_of(
            id=f"{code.lower()}-sms-one", market=code, price=Decimal("0.4242"), currency="USD", network=None
        )
        for code in ("BT", "ET", "TJ")
    ]
    found = [leak for leak in leaks_of("a.pdf", pdf_of(content), *prices) if leak.kind is ValueKind.PRICE]

    assert bool(found) == is_found


def test_bombs_are_not_unpacked() -> None:
    """A member, or all of them together, may not fill the memory; nor may one archive in another for ever."""
    bomb = gzip.compress(b"\0" * 5_000_000)
    nested = b"x"
    for _ in range(8):
        nested = gzip.compress(nested)

    assert [
        "more than" in unreadable_file.why
        for unreadable_file in unreadable_files("a.gz", bomb, Budget(member=1_000_000))
    ] == [True]
    assert [
        "more than" in unreadable_file.why
        for unreadable_file in unreadable_files("a.gz", bomb, Budget(total=1_000_000))
    ] == [True]
    assert [
        "more than" in unreadable_file.why
        for unreadable_file in unreadable_files(
            "a.zip", zip_archive(a_bin=b"\0" * 5_000_000), Budget(member=10_000)
        )
    ] == [True]
    assert [
        "more than 5 times" in unreadable_file.why for unreadable_file in unreadable_files("a.gz", nested)
    ] == [True]
    assert unreadable_files("a.gz", bomb) == []


def test_each_value_is_told_once_in_a_file() -> None:
    """A page with a leaked table has one finding for each version and kind, not a thousand."""
    found = search_for((draft(),)).search_file("a.html", (f"<p>{ID}</p>" * 1000).encode())

    assert [leak.offset for leak in found if isinstance(leak, Leak)] == [3]


@pytest.mark.parametrize("total", [TOTAL_BYTES, 100])
def test_any_number_of_processes_finds_the_same(
    total: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In files of every kind, in the order of their names; also where they unpack to more than is allowed."""
    monkeypatch.setattr("threading.active_count", lambda: 1)
    monkeypatch.setattr("devportal.site.leaks.search.TOTAL_BYTES", total)
    monkeypatch.setattr("devportal.site.leaks.search.Budget", partial(Budget, total=total))
    packed = gzip.compress(f"{ID} {'x' * 40}".encode())
    for number in range(2 * MIN_TASKS):
        (tmp_path / f"{number:02}.html").write_text(f"<p>{ID if number % 7 == 3 else 'nothing'}</p>")
        if number % 30 == 3:
            (tmp_path / f"{number:02}.gz").write_bytes(packed)
    search = search_for((draft(),))

    alone = [*search.search_folder(tmp_path)]
    spread = [*search.search_folder(tmp_path, processes=2)]

    leaks = [result for result in alone if isinstance(result, Leak)]
    assert spread == alone
    assert len({leak.file for leak in leaks}) == (14 if total == TOTAL_BYTES else 12)
    assert [result.name for result in alone if isinstance(result, UnreadableFile)] == (
        [] if total == TOTAL_BYTES else ["33.gz", "63.gz"]
    )


def test_search_index_as_we_write_it_is_read() -> None:
    """HTML within JSON, escaped as programs do."""
    text = json.dumps(
        {"docs": [{"location": "rates/", "text": '<td class="x">Norway</td><td>0.<b>4242</b></td>'}]}
    )
    html_safe = text.replace("<", "\\u003c").replace(">", "\\u003e")

    assert [leak.kind for leak in leaks_of("search/search_index.json", text)] == [ValueKind.PRICE]
    assert [leak.kind for leak in leaks_of("search/search_index.json", html_safe)] == [ValueKind.PRICE]


ENTRIES = (
    ("coverage/cz/", "Czechia", "SMS: 0.0600 EUR per segment"),
    ("coverage/no/", "Norway", "SMS: 0.0600 EUR per segment, 0.4242 EUR by night"),
    ("coverage/no/rates/", "Norway", "SMS: 0.0600 EUR per segment, 0.4242 EUR by day"),
)


def columns_of(entries: Iterable[tuple[str, str, str]]) -> bytes:
    """Return a search index with these addresses, titles and texts."""
    addresses, titles, texts = zip(*entries, strict=True)
    columns = [pack_column(addresses), pack_column(titles), "", "", pack_column(texts), ""]
    return json.dumps({"parts": [], "fields": "", "pages": {"rates": columns}, "below": ""}).encode()


def test_search_index_is_read_with_what_its_lines_share() -> None:
    """Each line leaves out what it shares with the line above: here the whole price."""
    content = columns_of(ENTRIES)

    assert content.count(b"0.4242") == 1
    assert [leak.file for leak in leaks_of("search/search_index.json", content)] == [
        "search/search_index.json!rates.tsv"
    ]
    assert unpacked_index(content)[0][1].decode().count("0.4242") == 2  # type: ignore[index]


def test_price_in_the_search_index_belongs_to_its_own_line() -> None:
    """What stands before the line is of another market."""
    entries = [("coverage/no/", "Norway", "SMS"), ("coverage/se/", "Sweden", "SMS: 0.4242 EUR")]

    assert leaks_of("search/search_index.json", columns_of(entries)) == []


@given(st.lists(st.text(st.characters(exclude_characters="\x7f", exclude_categories=["Cs"])), min_size=1))
def test_lines_of_a_column_are_those_it_was_made_of(texts: list[str]) -> None:
    """Whatever they share."""
    assert list(lines_of(pack_column(texts))) == texts


def test_what_files_share_is_searched_once() -> None:
    """Most of a page is the frame of its site: the words and escapes in it are not read for each page again."""
    frame = "".join(f"<li>Mail&#45;{number} of the wholesale t<b>e</b>am</li>\n" for number in range(400))
    pages = [f"<nav>{frame}</nav><main>{word} {'x' * 5_000}</main>" for word in ("One", "Two")]
    search = search_for((draft(note=NOTE),), "", None)

    steps = []
    for number, page in enumerate(pages):
        with counted_steps() as taken:
            assert [*search.search_file(f"{number}.html", page.encode())] == []
        steps.append(taken.count)

    assert steps[1] < steps[0] / 2


def test_what_files_share_leaks_from_each() -> None:
    """What was searched before is reported for every file, where it stands in it."""
    leak = f"<b>no</b>-sms-br&#97;ge {'x' * 5_000}"
    search = search_for((draft(),))

    found = [
        (other_leak.file, other_leak.offset)
        for number in range(2)
        for other_leak in search.search_file(f"{number}.html", f"{'y ' * (3_000 + number)}{leak}".encode())
        if isinstance(other_leak, Leak)
    ]

    assert found == [("0.html", 6_003), ("1.html", 6_005)]
