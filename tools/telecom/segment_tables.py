"""The tables of `telecom.segments` as a JavaScript module, for the segment calculator in the guides.

The module is `docs/assets/segments/tables.js`; `make golden` writes it, and a test compares.
"""

import json

from telecom.segments import GSM7_UNITS, MAX_SEGMENTS, Encoding

_MODULE = """\
// Made from tools/telecom/segments.py by `make golden`: change it there.

// The default alphabet (3GPP TS 23.038 §6.2.1), one septet each; its extension table (§6.2.1.1), two each.
export const BASIC = {basic};
export const EXTENSION = {extension};

// The units of a message of one segment, and of each of several (3GPP TS 23.040 §9.2.3.16, §9.2.3.24.1).
export const LIMITS = {limits};

// The most segments that the API takes (docs/decisions/0007-message-size.md).
export const MAX_SEGMENTS = {max_segments};
"""


def tables_module() -> str:
    """Return the source of the JavaScript module: the characters of the alphabet, the limits of segments."""
    return _MODULE.format(
        basic=_characters_literal(units=1),
        extension=_characters_literal(units=2),
        limits=json.dumps(
            {encoding.value: {"single": encoding.single, "multi": encoding.multi} for encoding in Encoding}
        ),
        max_segments=MAX_SEGMENTS,
    )


def _characters_literal(*, units: int) -> str:
    """Return the characters that take this many septets as a string of JavaScript."""
    characters = "".join(value for value, length in GSM7_UNITS.items() if length == units)
    return json.dumps(characters, ensure_ascii=False)
