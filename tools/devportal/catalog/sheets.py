"""Rate sheets: the rates of one product in one market as a PDF, to hand out.

They need the extra `pdf`. The standard typefaces of PDF are used without embedding a font: the search for what
is not public then reads every word of a sheet. What these typefaces do not have (Windows-1252 is their
character set) cannot be on a sheet: it is in English if the words of the language need more, and a market with
such a name has none. The same records give the same bytes: a sheet is dated by the day on which its rates are in
force.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time

from fpdf import FPDF
from fpdf.enums import TableBordersLayout
from fpdf.fonts import FontFace

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


def rate_sheets(sections: Iterable[Section], public: Published, options: Options) -> Iterator[Artefact]:
    """Yield the sheet of each section that is short enough and can be set in the standard typefaces."""
    for section in sections:
        if len(section.rates) <= MAX_RATES and (content := _sheet(section, public, options)):
            yield Artefact(uri=section.sheet_uri, content=content)


def _sheet(section: Section, public: Published, options: Options) -> bytes:
    """Return a sheet in the language of the site, else in English; nothing if neither can be set."""
    sheet = _Sheet(section, public, options)
    if sheet.is_settable:
        return sheet.render()
    if current_interface() is ENGLISH:
        return b""
    with interface_of(ENGLISH):
        return _sheet(section, public, options)


class _Page(FPDF):  # type: ignore[misc, unused-ignore]  # no types where it is not installed
    """A sheet of paper with a footer."""

    def __init__(self, foot: str) -> None:
        super().__init__(orientation="landscape", format="A4")
        self.foot = foot
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


class _Sheet:
    """The texts of a sheet, and how they are laid out."""

    def __init__(self, section: Section, public: Published, options: Options) -> None:
        self._on = public.on
        self._title = gettext(
            "%(product)s rates for %(market)s",
            product=attribute(section.product),
            market=public.book.markets.shown_names[section.country.code],
        )
        self._service = options.title
        self._address = f"{options.site_url}{url_of(section.pages[0].uri)}" if options.site_url else ""
        self._samples = sample_share(rate.terms for rate in section.rates)
        self._table = RateTable.of_market(public.book, section.pages[0].uri, self._title, section.rates)

    @property
    def is_settable(self) -> bool:
        """Say whether the standard typefaces have all characters."""
        texts = (
            self._address,
            *(text for _, text in self._head()),
            *(cell for row in self._rows() for cell in row),
        )
        try:
            "".join(texts).encode(_ENCODING)
        except UnicodeEncodeError:
            return False
        return True

    def _rows(self) -> Iterator[tuple[str, ...]]:
        yield from self._table.texts()

    def render(self) -> bytes:
        """Return the sheet."""
        page = _Page(self._address)
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
        rows = tuple(self._rows())
        with page.table(
            borders_layout=TableBordersLayout.HORIZONTAL_LINES,
            col_widths=tuple(max(map(page.get_string_width, column)) for column in zip(*rows, strict=True)),
            headings_style=FontFace(emphasis="BOLD"),
            line_height=5,
            padding=(1, 0),
            text_align="LEFT",
            v_align="TOP",
        ) as table:
            for row in rows:
                table.row(row)
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
