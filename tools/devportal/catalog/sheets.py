"""Rate sheets: the rates of one product in one market as a PDF, to hand out.

They need the extra `pdf`. The standard typefaces of PDF are used without embedding a font: the search for what
is not public then reads every word of a sheet. What these typefaces do not have (Windows-1252 is their
character set) cannot be on a sheet: it is in English if the words of the language need more, and a market with
such a name has none. The same records give the same bytes: a sheet is dated by the day on which its rates are in
force.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from itertools import accumulate, chain, pairwise, repeat
from typing import Any

from fpdf import FPDF

from devportal.catalog.book.book import Book
from devportal.catalog.pages.countries_sections import Section
from devportal.catalog.pages.names import SampleShare, attribute, sample_share
from devportal.catalog.pages.rates_filters import Options
from devportal.catalog.pages.rates_table import RateTable
from devportal.markup import Artefact, url_of
from devportal.translation import ENGLISH, current_interface, gettext, interface_of

MAX_RATES = 300
"""How many rates a sheet holds: nobody reads more on paper, and each takes time to set."""
_ENCODING = "cp1252"
_MARGIN_MM = 15
_SMALL, _BODY, _TITLE = 8, 9, 18
_GREY, _LIGHT_GREY = 90, 200
_LINE_MM, _PADDING_MM = 5, 1
"""How high a line of the table is, and the room above and below the lines of a row."""
_BASELINE = 0.3
"""How far the baseline is below the middle of a line, as a share of the size of the type."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A text in the type of the table: its width in millimetres, and what shows it in a content stream."""

    width: float
    shown: str


_Texts = dict[tuple[str, str], _Text]
"""Texts of tables by themselves and the style of their type: most occur on many sheets."""


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of a table: what moves to its left edge, its right edge, and the shown lines of each of its texts."""

    start: str
    right: float
    lines: Mapping[str, Sequence[str]]


def rate_sheets(sections: Iterable[Section], book: Book, on: date, options: Options) -> Iterator[Artefact]:
    """Yield the sheet of each section that is short enough and can be set in the standard typefaces."""
    texts: _Texts = {}
    for section in sections:
        if len(section.rates) <= MAX_RATES and (content := _sheet(section, book, on, options, texts)):
            yield Artefact(uri=section.sheet_uri, content=content)


def _sheet(section: Section, book: Book, on: date, options: Options, texts: _Texts) -> bytes:
    """Return a sheet in the language of the site, else in English; nothing if neither can be set."""
    sheet = _Sheet(section, book, on, options, texts)
    if sheet.is_settable:
        return sheet.render()
    if current_interface() is ENGLISH:
        return b""
    with interface_of(ENGLISH):
        return _sheet(section, book, on, options, texts)


class _Page(FPDF):  # type: ignore[misc, unused-ignore]  # no types where it is not installed
    """A sheet of paper with a footer."""

    def __init__(self, foot: str, texts: _Texts) -> None:
        super().__init__(orientation="landscape", format="A4")
        self.foot = foot
        self._texts = texts
        self.core_fonts_encoding = _ENCODING
        self.set_margins(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
        self.set_auto_page_break(auto=True, margin=_MARGIN_MM)

    def footer(self) -> None:
        """Write the address and the number of the page."""
        self.set_y(-_MARGIN_MM + 3)
        self.set_font("Helvetica", size=_SMALL)
        self.set_text_color(_GREY)
        self.cell(w=self.epw / 2, text=self.foot)
        self.cell(w=self.epw / 2, text=f"{self.page_no()} / {{nb}}", align="R")

    def add_paragraph(self, text: str, *, size: int, style: str) -> None:
        """Write a text across the sheet; most fit on a line."""
        self.set_font("Helvetica", style=style, size=size)
        height = size / 2
        is_plain = text == " ".join(text.split())
        if is_plain and self.get_string_width(text) <= self.epw - 2 * self.c_margin:
            self.text(self.l_margin + self.c_margin, self.y + height / 2 + _BASELINE * self.font_size, text)
            self.ln(height)
        else:
            self.multi_cell(w=0, text=text, new_x="LMARGIN", new_y="NEXT", h=height)

    def add_table(self, rows: Sequence[Sequence[str]]) -> None:
        """Write rows, of which the first has the titles of the columns: each page begins with them.

        `FPDF.table` lays out every cell twice, letter by letter, and `FPDF.text` looks at all the state of a document
        for every cell: with them a sheet takes ten times as long. Here a text of a column is laid out once.
        """
        titles, *others = rows
        cells = [frozenset(texts) for texts in zip(*others, strict=True)] or [frozenset()] * len(titles)
        self.set_font(style="B")
        natural = [self._text_of(title).width for title in titles]
        self.set_font(style="")
        natural = [
            max(width, *(self._text_of(text).width for text in texts)) if texts else width
            for width, texts in zip(natural, cells, strict=True)
        ]
        room = self.epw - 2 * self.c_margin * len(titles)
        widths = [width + 2 * self.c_margin for width in _spread(natural, room)]
        columns = self._columns(cells, widths)
        self._add_titles(titles, widths)
        for row in others:
            lines = [column.lines[text] for column, text in zip(columns, row, strict=True)]
            if self.y + _row_height(lines) > self.page_break_trigger:
                self.add_page()
                self._add_titles(titles, widths)
            self._add_row(columns, lines)

    def _add_titles(self, titles: Sequence[str], widths: Sequence[float]) -> None:
        self.set_font(style="B")
        columns = self._columns([(title,) for title in titles], widths)
        lines = [column.lines[title] for column, title in zip(columns, titles, strict=True)]
        self._add_row(columns, lines)
        self.set_font(style="")

    def _columns(self, cells: Iterable[Iterable[str]], widths: Sequence[float]) -> list[_Column]:
        """Return columns side by side, in the present style of the type."""
        edges = pairwise(accumulate(widths, initial=self.l_margin))
        return [
            _Column(
                start=f"BT {(left + self.c_margin) * self.k:.2f} ",
                right=right,
                lines={
                    text: [self._text_of(line).shown for line in self._lines(text, width)] for text in texts
                },
            )
            for texts, width, (left, right) in zip(cells, widths, edges, strict=True)
        ]

    def _add_row(self, columns: Sequence[_Column], cells: Sequence[Sequence[str]]) -> None:
        """Write the lines of cells side by side, with a rule below them."""
        if not self.current_font_is_set_on_page:
            font: Any = self.current_font
            self._out(self._set_font_for_page(font, self.font_size_pt))
        baseline = self.y + _PADDING_MM + _LINE_MM / 2 + _BASELINE * self.font_size
        steps = accumulate(repeat(_LINE_MM, max(map(len, cells)) - 1), initial=baseline)
        moves = [f"{(self.h - height) * self.k:.2f} Td " for height in steps]
        drawn = [
            f"{column.start}{move}{shown} ET"
            for column, lines in zip(columns, cells, strict=True)
            for move, shown in zip(moves, lines, strict=False)
        ]
        if drawn:
            self._out("\n".join(drawn))
        self.y += _row_height(cells)
        self.line(self.l_margin, self.y, columns[-1].right, self.y)

    def _lines(self, text: str, width: float) -> list[str]:
        """Return a text in lines that fit a column, a word that is longer than a line in pieces."""
        width -= 2 * self.c_margin
        if self._text_of(text).width <= width:
            return [text]
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self._text_of(longer).width <= width:
                lines[-1] = longer
                continue
            lines.append("")
            for letter in word:
                if lines[-1] and self._text_of(lines[-1] + letter).width > width:
                    lines.append("")
                lines[-1] += letter
        return [line for line in lines if line]

    def _text_of(self, text: str) -> _Text:
        """Return a text in the type of the table."""
        key = text, self.font_style
        if key not in self._texts:
            font: Any = self.current_font
            normalized = self.normalize_text(text)
            _, width_pt = font.get_text_width(normalized, self.font_size_pt, None)
            self._texts[key] = _Text(width_pt / self.k, font.encode_text(normalized))
        return self._texts[key]


def _spread(widths: Sequence[float], room: float) -> list[float]:
    """Return widths that fill a room together: each larger by the same share, or the widest ones cut to one width."""
    total = sum(widths)
    if total <= room:
        return [width * room / total for width in widths]
    most, left = room, room
    for number, width in enumerate(sorted(widths)):
        most = left / (len(widths) - number)
        left -= min(width, most)
    return [min(width, most) for width in widths]


def _row_height(cells: Iterable[Sequence[str]]) -> float:
    """Return how high a row of cells is, in millimetres."""
    return max(map(len, cells), default=0) * _LINE_MM + 2 * _PADDING_MM


class _Sheet:
    """The texts of a sheet, and how they are laid out."""

    def __init__(self, section: Section, book: Book, on: date, options: Options, texts: _Texts) -> None:
        self._on = on
        self._texts = texts
        self._title = gettext(
            "%(product)s rates for %(market)s",
            product=attribute(section.product),
            market=book.markets.shown_names[section.country.code],
        )
        self._service = options.title
        self._address = f"{options.site_url}{url_of(section.pages[0].uri)}" if options.site_url else ""
        self._samples = sample_share(rate.terms for rate in section.rates)
        page = section.pages[0].uri
        table = RateTable.of_market(book, page, self._title, section.rates, section.places)
        self._rows = tuple(table.texts())

    @property
    def is_settable(self) -> bool:
        """Say whether the standard typefaces have all characters."""
        texts = (
            self._address,
            *(text for _, text in self._head()),
            *chain.from_iterable(self._rows),
        )
        try:
            "".join(texts).encode(_ENCODING)
        except UnicodeEncodeError:
            return False
        return True

    def render(self) -> bytes:
        """Return the sheet."""
        page = _Page(self._address, self._texts)
        page.set_title(self._title)
        page.set_lang(current_interface().language)
        page.set_creation_date(datetime.combine(self._on, time(), UTC))
        page.add_page()
        for size, text in self._head():
            page.add_paragraph(text, size=size, style="B" if size == _TITLE else "")
        page.ln(4)
        page.set_font("Helvetica", size=_BODY)
        page.set_draw_color(_LIGHT_GREY)
        page.add_table(self._rows)
        return bytes(page.output())

    def _head(self) -> Iterator[tuple[int, str]]:
        if self._service:
            yield _BODY, self._service
        yield _TITLE, self._title
        yield _BODY, gettext("In force on %(day)s (UTC). Prices without tax.", day=self._on)
        if self._samples is not SampleShare.NONE:
            yield (
                _BODY,
                gettext("Sample data. Prices are invented. They are not an offer.")
                if self._samples is SampleShare.ALL
                else gettext("Sample data. Prices marked Sample are invented. They are not an offer."),
            )
