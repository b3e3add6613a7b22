"""Phone numbers: their kinds and features, and the ones that the sandbox offers.

Every number here belongs to nobody. Regulators keep them free for fiction: in the North American plan
555-0100 to 555-0199 of each area code, and 800-555-0199; in the United Kingdom (Ofcom) 0113 496 0xxx,
0131 496 0xxx, 03069 990xxx and 08081 570xxx; in Australia (ACMA) (02) 5550 xxxx and 1800 975 707 to 711.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class NumberType(StrEnum):
    """The kinds of numbers offered (service.md, What the service does 2)."""

    LOCAL = "local"
    NATIONAL = "national"
    TOLL_FREE = "toll_free"


class NumberFeature(StrEnum):
    """What a number can be used for."""

    VOICE = "voice"
    SMS = "sms"
    MMS = "mms"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedNumber:
    """An available number; `region` is an ISO 3166-2 code, None if it belongs to no region."""

    number: str
    country: str
    region: str | None
    type: NumberType
    features: tuple[NumberFeature, ...]


_VOICE = (NumberFeature.VOICE,)
_TEXTS = (NumberFeature.VOICE, NumberFeature.SMS)
_ALL = (NumberFeature.VOICE, NumberFeature.SMS, NumberFeature.MMS)
_LOCAL, _NATIONAL, _FREE = NumberType.LOCAL, NumberType.NATIONAL, NumberType.TOLL_FREE


def _number_block(
    prefix: str,
    last_two: range,
    country_or_region: str,
    kind: NumberType,
    features: tuple[NumberFeature, ...],
) -> Iterator[OfferedNumber]:
    """Yield numbers that differ in their last two digits. The place is a country or a region."""
    for digits in last_two:
        yield OfferedNumber(
            number=f"{prefix}{digits:02}",
            country=country_or_region[:2],
            region=country_or_region if "-" in country_or_region else None,
            type=kind,
            features=features,
        )


OFFERED_NUMBERS: tuple[OfferedNumber, ...] = (
    *_number_block("+120255501", range(2), "US-DC", _LOCAL, _ALL),
    *_number_block("+120255501", range(2, 4), "US-DC", _LOCAL, _TEXTS),
    *_number_block("+121255501", range(10), "US-NY", _LOCAL, _ALL),
    *_number_block("+141555501", range(10), "US-CA", _LOCAL, _TEXTS),
    *_number_block("+4411349600", range(10), "GB-LDS", _LOCAL, _VOICE),
    *_number_block("+4413149600", range(10), "GB-EDH", _LOCAL, _VOICE),
    *_number_block("+4430699900", range(10), "GB", _NATIONAL, _VOICE),
    *_number_block("+4480815700", range(10), "GB", _FREE, _VOICE),
    *_number_block("+612555001", range(10), "AU-NSW", _LOCAL, _VOICE),
    *_number_block("+6118009757", range(7, 12), "AU", _FREE, _VOICE),
)
"""What the sandbox offers to every account."""
