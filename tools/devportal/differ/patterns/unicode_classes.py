"""Classes of characters by properties of Unicode, as patterns of ECMA 262 name them: `\\p{L}`, `\\P{Letter}`."""

import re
import sys
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType

from devportal.contract.regex import is_supported_pattern, matches_pattern
from devportal.differ.patterns.regular_languages import (
    LAST,
    Ranges,
    TooComplexError,
    complement,
    merge_ranges,
)


def spell_out_unicode_classes(pattern: str) -> str:
    """Return a pattern with the ranges of code points in place of each class by a property of Unicode.

    Raises TooComplexError for a property that neither Python nor validators know.
    """
    in_class = False

    def spell_out(match: re.Match[str]) -> str:
        nonlocal in_class
        if match["property"] is None:
            in_class = {"[": True, "]": False}.get(match.group(), in_class)
            return match.group()
        ranges = _ranges_of_property(match["property"])
        text = _class_text(complement(ranges) if match["negation"] == "P" else ranges)
        return text if in_class else f"[{text}]"

    return _UNICODE_CLASS.sub(spell_out, pattern) if r"\p" in pattern.lower() else pattern


_UNICODE_CLASS = re.compile(r"\\(?P<negation>[pP])\{(?P<property>[^}]*)\}|\\.|[\[\]]", re.DOTALL)


def _class_text(ranges: Ranges) -> str:
    return "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in ranges)


def _ranges_of_property(name: str) -> Ranges:
    """Return the code points with a property, given its name or that of a general category (ECMA 262 §22.2.1.9).

    Scripts (`Script=Greek`) and what else Python does not know are as validators have them.
    """
    if name in _RANGES_OF_NAMES:
        return _RANGES_OF_NAMES[name]
    key, _, value = name.rpartition("=")
    if key not in ("", "gc", "General_Category"):
        return _ranges_in_validators(name)
    category = _CATEGORIES_BY_NAME.get(value, value)
    ranges = [
        range_
        for short, ranges_ in _ranges_by_category().items()
        if short in _GROUPED.get(category, (category,)) or short[0] == category
        for range_ in ranges_
    ]
    return merge_ranges(ranges) if ranges else _ranges_in_validators(name)


@lru_cache(maxsize=64)
def _ranges_in_validators(name: str) -> Ranges:
    """Return the code points that validators find by a property. Raises TooComplexError if they do not know it."""
    pattern = rf"\p{{{name}}}"
    if not is_supported_pattern(pattern):
        raise TooComplexError
    found: list[tuple[int, int]] = []
    for start in range(0, LAST + 1, _BLOCK):
        codes = [code for code in range(start, start + _BLOCK) if code not in _SURROGATES]
        block = "".join(map(chr, codes))
        if not matches_pattern(pattern, block):
            continue
        if matches_pattern(f"^{pattern}+$", block):
            found.append((start, start + _BLOCK - 1))
        else:
            found += [(code, code) for code in codes if matches_pattern(pattern, chr(code))]
    return merge_ranges(found)


_BLOCK = 0x100
_SURROGATES = range(0xD800, 0xE000)
_RANGES_OF_NAMES: Mapping[str, Ranges] = MappingProxyType({"Any": ((0, LAST),), "ASCII": ((0, 0x7F),)})
_GROUPED: Mapping[str, tuple[str, ...]] = MappingProxyType({"LC": ("Lu", "Ll", "Lt")})
_CATEGORIES_BY_NAME: Mapping[str, str] = MappingProxyType(
    {
        "Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
        "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo",
        "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
        "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
        "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd",
        "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi",
        "Final_Punctuation": "Pf", "Other_Punctuation": "Po",
        "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So",
        "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
        "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co",
        "Unassigned": "Cn",
    }
)  # fmt: skip


@lru_cache(maxsize=1)
def _ranges_by_category() -> Mapping[str, Ranges]:
    """Return the code points of each general category, by its short name."""
    ranges: dict[str, list[tuple[int, int]]] = {}
    end = 0
    for category, letters in groupby(map(unicodedata.category, map(chr, range(sys.maxunicode + 1)))):
        start, end = end, end + sum(1 for _ in letters)
        ranges.setdefault(category, []).append((start, end - 1))
    return MappingProxyType({category: tuple(found) for category, found in ranges.items()})
