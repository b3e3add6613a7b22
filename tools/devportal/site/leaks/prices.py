"""Finds private prices in a file, in every notation of the number."""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from babel.numbers import get_currency_name, get_currency_symbol

from devportal.catalog.book.book import Unit
from devportal.site.leaks.detectors import Leak, leak_at
from devportal.site.leaks.private_values import PrivateValue, PublicValues, ValueKind, normalize_price
from devportal.site.leaks.surrounding_context import FileContext, MarketMatch

_DIGITS = b"0123456789"
_MAX_PRICE_DIGITS = 24
"""More digits than any price has."""
_FULL_PRECISION = 15
"""A number with this many digits is a spreadsheet's form of a shorter one: `0.42420000000000002`."""
_NUMBER = re.compile(rb"(\d*)(?:([.,])(\d+))?(?:[eE]([-+]?\d{1,3})(?![\dA-Za-z]))?")
_CURRENCY = re.compile(rb"[A-Za-z]{3}(?![A-Za-z])")
_LETTERS_BEFORE = re.compile(rb"[A-Za-z]+$")
_SIGNS = frozenset((b"kr", b"zl", b"rs", b"fr", b"ft", b"lei"))
"""Currency signs that are letters and precede a number without a space."""
_LONGEST_TAG = 100_000
"""More bytes than the outline of any country has."""
_MINUS = "−".encode()
_PERCENT = re.compile(rb"(?:\s|&nbsp;|\xc2\xa0|\xe2\x80\xaf)?(?:%(?![0-9A-Fa-f]{2})|&percnt;)")
_ATTRIBUTE = re.compile(rb"([A-Za-z][\w:-]*)\s*=\s*$")
_GEOMETRY = frozenset(
    b"d points x y x1 x2 y1 y2 cx cy r rx ry dx dy fx fy width height viewbox transform offset stroke-width "
    b"stroke-dasharray opacity fill-opacity stroke-opacity font-size style media content-length".split()
)
"""Attributes whose numbers are lengths and places: maps are full of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number in a file."""

    start: int
    end: int
    value: Decimal
    decimals: int
    """How many digits follow its point or comma."""
    is_signed: bool = False
    """Whether a minus precedes it: it is a difference, or a price after a dash."""


def numbers_at(data: bytes, position: int, prices: Container[Decimal]) -> Iterator[Number]:
    """Yield the numbers at a position of a file that are among the prices. `1,250.00` is also read as `250`,
    because it may be two cells of a CSV.
    """
    start = position
    while start > 0 and position - start < _MAX_PRICE_DIGITS and data[start - 1] in _DIGITS:
        start -= 1
    match = _NUMBER.match(data, start)
    if match is None or not match.group():
        return
    whole, separator, fraction, exponent = match[1] or b"0", match[2], match[3] or b"", match[4] or b"0"
    readings = [(start, whole)]
    if separator != b"," and data[start - 1 : start] == b"," and match[1]:
        grouped = _groups_before(data, start)
        readings += [(grouped[0], grouped[1] + whole)] if grouped else []
    for number_start, digits in readings:
        value = _value(digits, fraction, exponent)
        if value in prices and not _is_part_of_other_value(data, start, match):
            is_signed = (
                data[number_start - 1 : number_start] == b"-"
                and not data[number_start - 2 : number_start - 1].isalnum()
            )
            yield Number(
                start=number_start, end=match.end(), value=value, decimals=len(fraction), is_signed=is_signed
            )


@lru_cache(maxsize=65536)
def _value(whole: bytes, fraction: bytes, exponent: bytes) -> Decimal:
    """Return a number without trailing zeros, or -1 if it is too long to be a price."""
    if abs(int(exponent)) > _MAX_PRICE_DIGITS or len(whole) + len(fraction) > 2 * _MAX_PRICE_DIGITS:
        return Decimal(-1)
    value = Decimal(f"{whole.decode()}.{fraction.decode()}e{int(exponent)}")
    if len(value.as_tuple().digits) >= _FULL_PRECISION:
        value = round(value, 12 - value.adjusted() - 1)
    return normalize_price(value)


def _groups_before(data: bytes, start: int) -> tuple[int, bytes] | None:
    """Return where a number with thousands separators starts, and the digits of the groups before."""
    match = re.search(rb"(?<![\d.,])(\d{1,3}(?:,\d{3})*),$", data[max(0, start - _MAX_PRICE_DIGITS) : start])
    if match is None:
        return None
    return max(0, start - _MAX_PRICE_DIGITS) + match.start(), match[1].replace(b",", b"")


def _is_part_of_other_value(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """Say whether a match is part of another value: a version, a date, a percentage, a change."""
    end = match.end()
    before, after = data[max(0, start - 3) : start], data[end : end + 4]
    if before[-1:] == b"." or re.match(rb"[.]\d", after):
        return True
    if before[-1:] == b"+" and not before[-2:-1].isalnum():
        return True
    if before == _MINUS or _PERCENT.match(data, end):
        return True
    word = _LETTERS_BEFORE.search(data, max(0, start - 4), start)
    is_sign = word is not None and ((before.isalpha() and before.isupper()) or word[0].lower() in _SIGNS)
    if before[-1:].isalpha() and not is_sign and before[-2:-1] != b"\\":
        return True
    return after[:1].isalpha() and not _CURRENCY.match(after)


def is_geometry(data: bytes, start: int) -> bool:
    """Say whether a number is in an attribute that holds lengths or coordinates."""
    tag = data.rfind(b"<", max(0, start - _LONGEST_TAG), start)
    if tag < 0 or data.find(b">", tag, start) >= 0:
        return False
    quote = max(data.rfind(b'"', tag, start), data.rfind(b"'", tag, start))
    name = _ATTRIBUTE.search(data, max(tag, quote - 40), quote) if quote > 0 else None
    return name is not None and name[1].lower() in _GEOMETRY


_MIN_PRICE_DIGITS = 3
"""A price with fewer digits may be any number, and so may one without decimals."""
_MIN_PRICE_DECIMALS = 4
"""A number with this many decimals is a price, whatever its digits: `0.0098`."""
_CURRENCY_DISTANCE = 160
"""How many bytes may be between a price and its currency: a cell, a member, or an attribute."""
_KEY_DISTANCE = 24
"""How many bytes may be between a key and its value."""
_PRICE_KEY = re.compile(rb"(?:price|amount|rate|cost)[\"'\\]*\s*[:=]\s*[\"'\\]*$", re.IGNORECASE)
_SPACES = ("", " ", "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}", "&nbsp;", "&#160;", "\\u00a0")
_CELLS = (",", ";", "\t", " | ", '","', '";"', "|")
_GAP_WORDS = ("currency", "price", "data", "amount", "value", "unit", "per", "a")
"""Words that may be between a price and its currency, besides tags, spaces and the words of units."""
_GAP_AFTER = (
    rb"(?>(?:<[^<>]*>|&(?:nbsp|\#160|\#8239);|\xc2\xa0|\xe2\x80\xaf|\\[nrt]|(?:%s)(?![A-Za-z])"
    rb"|[^0-9A-Za-z<&$\\\x80-\xff])*)"
)
_GAP_BEFORE = (
    rb"(?>(?:>[^<>]*<|;(?:psbn|061\#|9328\#)&|\xa0\xc2|\xaf\x80\xe2|[nrt]\\|(?:%s)(?![A-Za-z])"
    rb"|[^0-9A-Za-z<>;$\x80-\xff]|;(?![a-z0-9\#]{2,7}&))*)"
)
"""The same, read backwards."""


class Prices:
    """Finds prices that no public version of their market has, if the market is named."""

    def __init__(
        self, values: Iterable[PrivateValue], public_values: PublicValues, units: Iterable[Unit] = ()
    ) -> None:
        """Take the private and public values, and the units, whose words may be next to a price."""
        self._words = words_beside_prices(units)
        self._values: defaultdict[Decimal, list[PrivateValue]] = defaultdict(list)
        for value in values:
            if value.kind is ValueKind.PRICE:
                self._values[value.price].append(value)
        self._public = public_values.prices
        self._amounts = public_values.amounts

    def hooks(self) -> Iterable[bytes]:
        """Return the starts of prices. Prices without decimals get a context as well."""
        candidates = set()
        for price, values in self._values.items():
            candidates |= set(_decimal_hooks(price))
            if price == price.to_integral_value():
                for currency in {value.currency for value in values}:
                    candidates |= set(_whole_hooks(f"{price:f}", currency))
        return [
            hook for hook in candidates if not any(hook[:end] in candidates for end in range(2, len(hook)))
        ]

    def check_hook(self, context: FileContext, start: int, end: int) -> Iterator[Leak]:
        """Yield the price that starts at a hook, unless it is a public one of the market it belongs to."""
        data = context.view.data
        for number in numbers_at(data, _first_digit(data, start, end), self._values):
            yield from self._leaks(context, number, self._values[number.value])

    def _leaks(self, context: FileContext, number: Number, values: list[PrivateValue]) -> Iterator[Leak]:
        """Yield the first of some private values whose market the number belongs to."""
        if number.is_signed or not _is_clearly_price(number, is_binary=context.view.is_binary):
            currencies = {value.currency for value in values}
            adjacent_currencies = {
                currency
                for currency in currencies
                if _is_next_to_currency(context.view.data, number, currency, self._words)
            }
            if not adjacent_currencies and not number.is_signed and number.decimals:
                header = context.table_header(number.start)
                adjacent_currencies = {
                    currency for currency in currencies if header and _header_pattern(currency).search(header)
                }
            values = (
                [value for value in values if value.currency in adjacent_currencies]
                if adjacent_currencies
                else []
            )
        if not values or self._is_public_price(context.markets_named_before(number.start), number):
            return
        markets = frozenset(value.market for value in values)
        if not context.names_market(number.start, number.end, markets):
            values = [value for value in values if (value.price, value.currency) not in self._amounts]
            markets = frozenset(value.market for value in values)
        match = context.match_market(number.start, number.end, markets)
        if (
            match is None
            or self._is_public_nearby(match, number)
            or is_geometry(context.view.data, number.start)
        ):
            return
        private_value = next(value for value in values if value.market in match.markets)
        yield leak_at(private_value, context, number.start, number.end)

    def _is_public_nearby(self, match: MarketMatch, number: Number) -> bool:
        """Say whether the number is a public price of the market named before it: in a table the market of
        the next row is also near.
        """
        return self._is_public_price(match.nearest, number) or self._is_public_price(match.first, number)

    def _is_public_price(self, countries: frozenset[str], number: Number) -> bool:
        return any((country, number.value) in self._public for country in countries)


def words_beside_prices(units: Iterable[Unit]) -> tuple[str, ...]:
    """Return the words that may be between a price and its currency, including the words of the units."""
    own = (word for unit in units for word in (unit.key, *unit.title.lower().split()))
    return tuple(dict.fromkeys((*_GAP_WORDS, *own)))


def _decimal_hooks(price: Decimal) -> Iterator[bytes]:
    """Yield the starts of a price with decimals: `.4242` and `0,4242`; for those below 1 `4.2e-05` too."""
    whole, _, fraction = f"{price:f}".partition(".")
    if not fraction:
        yield from (f"{whole}.0".encode(), f"{whole},0".encode())
        return
    yield from (f".{fraction}".encode(), f"{whole},{fraction}".encode())
    if price < 1:
        digits = "".join(map(str, price.as_tuple().digits))
        exponent = -price.adjusted()
        rest = f".{digits[1:]}" if digits[1:] else ""
        if rest:
            yield f"{digits[0]}{rest}".encode()
        else:
            yield from (f"{digits}{e}-{exponent:0{width}}".encode() for e in "eE" for width in (1, 2))


def _whole_hooks(price: str, currency: str) -> Iterator[bytes]:
    """Yield the forms of a price without decimals: next to its currency, in a cell, or as a value."""
    grouped = f"{int(price):,}"
    for text in dict.fromkeys((price, grouped, grouped.replace(",", "."))):
        signs = (currency, currency.lower(), get_currency_symbol(currency, "en"), *_currency_names(currency))
        for sign in dict.fromkeys(signs):
            for space in _SPACES:
                yield from (f"{text}{space}{sign}".encode(), f"{sign}{space}{text}".encode())
            for cell in _CELLS:
                yield from (f"{text}{cell}{sign}".encode(), f"{sign}{cell}{text}".encode())
        yield from (f">{text}<".encode(), f"| {text} |".encode())
        for key in ("price", "amount", "rate", "cost"):
            for start in ('": ', '":', '": "', '":"', '="', "=", ": ", ':"'):
                yield f"{key}{start}{text}".encode()


def _first_digit(data: bytes, start: int, end: int) -> int:
    """Return the position in a hook where its number starts."""
    position = start
    while position < end and not 48 <= data[position] <= 57:
        position += 1
    if position and data[position - 1 : position] == b"." and data[position - 2 : position - 1] != b".":
        return position - 1 if position - 1 >= start else position
    return position


def _is_clearly_price(number: Number, *, is_binary: bool) -> bool:
    """Say whether a number is clearly a price, not just any number."""
    if is_binary or not number.decimals:
        return False
    digits = len(number.value.as_tuple().digits)
    return digits >= _MIN_PRICE_DIGITS or number.decimals >= _MIN_PRICE_DECIMALS


def _is_next_to_currency(data: bytes, number: Number, currency: str, words: tuple[str, ...]) -> bool:
    """Say whether a number is next to its currency: only markup and the words of prices are between them.
    After a key that names a price, the currency only has to be near.
    """
    before = data[max(0, number.start - _CURRENCY_DISTANCE) : number.start]
    after = data[number.end : number.end + _CURRENCY_DISTANCE]
    word, left, right = _currency_patterns(currency, words)
    if _PRICE_KEY.search(before[-_KEY_DISTANCE:]):
        return bool(word.search(before) or word.search(after))
    return bool(left.match(before[::-1]) or right.match(after))


@lru_cache(maxsize=256)
def _currency_patterns(
    currency: str, words: tuple[str, ...]
) -> tuple[re.Pattern[bytes], re.Pattern[bytes], re.Pattern[bytes]]:
    """Return patterns for a currency's code anywhere, and for its code or sign before a number (read
    backwards) and after it.
    """
    code = currency.encode()
    signs = (code, *_currency_signs(currency))
    between = [re.escape(word.encode()) for word in words]
    backwards = [re.escape(word.encode()[::-1]) for word in words]
    before = b"|".join(re.escape(sign[::-1]) for sign in signs)
    after = b"|".join(re.escape(sign) for sign in signs)
    return (
        re.compile(rb"(?<![A-Za-z])" + re.escape(code) + rb"(?![A-Za-z])", re.IGNORECASE),
        re.compile(_GAP_BEFORE % b"|".join(backwards) + b"(?:" + before + b")", re.IGNORECASE),
        re.compile(_GAP_AFTER % b"|".join(between) + b"(?:" + after + b")", re.IGNORECASE),
    )


@lru_cache(maxsize=256)
def _header_pattern(currency: str) -> re.Pattern[bytes]:
    """Return the pattern of a currency in the first row of a table: `EUR`, `price_eur`, `USD per minute`."""
    names = b"|".join(
        re.escape(chunk) for chunk in (currency.encode(), *_currency_signs(currency)) if len(chunk) > 1
    )
    return re.compile(rb"(?<![A-Za-z])(?:" + names + rb")(?![A-Za-z])", re.IGNORECASE)


def _currency_names(currency: str) -> Iterator[str]:
    """Yield the English names of a currency: `dollars`, `US dollars`. The last word is enough."""
    for count in (1, 2):
        yield get_currency_name(currency, count, "en").rpartition(" ")[2]


def _currency_signs(currency: str) -> Iterator[bytes]:
    yield from (name.encode() for name in _currency_names(currency))
    sign = get_currency_symbol(currency, "en")
    if sign != currency:
        yield sign.encode()
        yield sign.encode("ascii", "xmlcharrefreplace")
        yield sign.encode("ascii", "backslashreplace")
    yield from {"EUR": (b"&euro;",), "GBP": (b"&pound;",), "NOK": (b"kr",), "SEK": (b"kr",)}.get(currency, ())
