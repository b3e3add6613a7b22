"""Rate sheets: the rates of one product in one market as a PDF, to hand out.

They need the extra `pdf`. The standard typefaces of PDF are used without embedding a font: the search for what
is not public then reads every word of a sheet. What these typefaces do not have (Windows-1252 is their
character set) cannot be on a sheet: it is in English if the words of the language need more, and a market with
such a name has none. The same records give the same bytes: a sheet is dated by the day on which its rates are in
force.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, time
from itertools import chain

from fpdf import FPDF

from devportal.catalog.pages.countries_sections import Section
from devportal.catalog.pages.names import SampleShare, attribute, sample_share
from devportal.catalog.pages.rates_filters import Options
from devportal.catalog.pages.rates_table import RateTable
from devportal.catalog.publication import Published
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
_Widths = dict[tuple[str, str], float]
"""How wide texts of the table are, in millimetres, by text and style of the type: most occur on many sheets."""
_BASELINE = 0.3
"""How far the baseline is below the middle of a line, as a share of the size of the type."""


def rate_sheets(sections: Iterable[Section], public: Published, options: Options) -> Iterator[Artefact]:
    """Yield the sheet of each section that is short enough and can be set in the standard typefaces."""
    widths: _Widths = {}
    for section in sections:
        if len(section.rates) <= MAX_RATES and (content := _sheet(section, public, options, widths)):
            yield Artefact(uri=section.sheet_uri, content=content)


def _sheet(section: Section, public: Published, options: Options, widths: _Widths) -> bytes:
    """Return a sheet in the language of the site, else in English; nothing if neither can be set."""
    sheet = _Sheet(section, public, options, widths)
    if sheet.is_settable:
        return sheet.render()
    if current_interface() is ENGLISH:
        return b""
    with interface_of(ENGLISH):
        return _sheet(section, public, options, widths)


class _Page(FPDF):  # type: ignore[misc, unused-ignore]  # no types where it is not installed
    """A sheet of paper with a footer."""

    def __init__(self, foot: str, widths: _Widths) -> None:
        super().__init__(orientation="landscape", format="A4")
        self.foot = foot
        self._widths = widths
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

    def add_table(self, rows: Sequence[Sequence[str]]) -> None:
        """Write rows, of which the first has the titles of the columns: each page begins with them.

        `FPDF.table` lays out every cell twice, letter by letter: with it a sheet takes five times as long.
        """
        titles, *others = rows
        self.set_font(style="B")
        natural = [*map(self._width, titles)]
        self.set_font(style="")
        for row in others:
            natural = [*map(max, natural, map(self._width, row))]
        room = self.epw - 2 * self.c_margin * len(titles)
        widths = [width + 2 * self.c_margin for width in _spread(natural, room)]
        self._add_titles(titles, widths)
        for row in others:
            cells = [self._lines(text, width) for text, width in zip(row, widths, strict=True)]
            if self.y + _row_height(cells) > self.page_break_trigger:
                self.add_page()
                self._add_titles(titles, widths)
            self._add_row(cells, widths)

    def _add_titles(self, titles: Sequence[str], widths: Sequence[float]) -> None:
        self.set_font(style="B")
        self._add_row([self._lines(text, width) for text, width in zip(titles, widths, strict=True)], widths)
        self.set_font(style="")

    def _add_row(self, cells: Sequence[Sequence[str]], widths: Sequence[float]) -> None:
        """Write the lines of cells side by side, with a rule below them."""
        left = self.l_margin
        for lines, width in zip(cells, widths, strict=True):
            baseline = self.y + _PADDING_MM + _LINE_MM / 2 + _BASELINE * self.font_size
            for line in lines:
                self.text(left + self.c_margin, baseline, line)
                baseline += _LINE_MM
            left += width
        self.y += _row_height(cells)
        self.line(self.l_margin, self.y, left, self.y)

    def _lines(self, text: str, width: float) -> list[str]:
        """Return a text in lines that fit a column, a word that is longer than a line in pieces."""
        width -= 2 * self.c_margin
        if self._width(text) <= width:
            return [text]
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self._width(longer) <= width:
                lines[-1] = longer
                continue
            lines.append("")
            for letter in word:
                if lines[-1] and self._width(lines[-1] + letter) > width:
                    lines.append("")
                lines[-1] += letter
        return [line for line in lines if line]

    def _width(self, text: str) -> float:
        """Return how wide a text is in the type of the table."""
        key = text, self.font_style
        if key not in self._widths:
            self._widths[key] = self.get_string_width(text)
        return self._widths[key]


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

    def __init__(self, section: Section, public: Published, options: Options, widths: _Widths) -> None:
        self._on = public.on
        self._widths = widths
        self._title = gettext(
            "%(product)s rates for %(market)s",
            product=attribute(section.product),
            market=public.book.markets.shown_names[section.country.code],
        )
        self._service = options.title
        self._address = f"{options.site_url}{url_of(section.pages[0].uri)}" if options.site_url else ""
        self._samples = sample_share(rate.terms for rate in section.rates)
        table = RateTable.of_market(public.book, section.pages[0].uri, self._title, section.rates)
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
        page = _Page(self._address, self._widths)
        page.set_title(self._title)
        page.set_lang(current_interface().language)
        page.set_creation_date(datetime.combine(self._on, time(), UTC))
        page.add_page()
        for size, text in self._head():
            page.set_font("Helvetica", style="B" if size == _TITLE else "", size=size)
            page.multi_cell(w=0, text=text, new_x="LMARGIN", new_y="NEXT", h=size / 2)
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
