"""The law that rows of parameters, bodies and responses keep: each has its mirror, or says why not."""

from typing import Any

import pytest

from devportal.differ.rule import Rule
from devportal.differ.rules.bodies import BODY_RULES
from devportal.differ.rules.body_media import BODY_CONTENT_RULES, BODY_MEDIA_RULES
from devportal.differ.rules.encodings import ENCODING_RULES
from devportal.differ.rules.event_headers import EVENT_HEADER_RULES
from devportal.differ.rules.headers import (
    PART_HEADER_RULES,
    RESPONSE_HEADER_REMOVED,
    RESPONSE_HEADER_RULES,
)
from devportal.differ.rules.links import LINK_RULES
from devportal.differ.rules.parameter_forms import PARAMETER_RULES
from devportal.differ.rules.parameter_values import PARAMETER_VALUE_RULES
from devportal.differ.rules.parameters import PARAMETER_CHANGE_RULES
from devportal.differ.rules.response_media import RESPONSE_CONTENT_RULES, RESPONSE_MEDIA_RULES
from devportal.differ.rules.responses import RESPONSE_RULES
from devportal.differ.rules.statuses import STATUS_RULES

ROWS: tuple[Rule[Any], ...] = (
    *PARAMETER_CHANGE_RULES,
    *PARAMETER_RULES,
    *PARAMETER_VALUE_RULES,
    *EVENT_HEADER_RULES,
    *BODY_RULES,
    *BODY_CONTENT_RULES,
    *BODY_MEDIA_RULES,
    *ENCODING_RULES,
    *PART_HEADER_RULES,
    *STATUS_RULES,
    *RESPONSE_RULES,
    *RESPONSE_CONTENT_RULES,
    *RESPONSE_MEDIA_RULES,
    *RESPONSE_HEADER_RULES,
    *RESPONSE_HEADER_REMOVED,
    *LINK_RULES,
)
BY_ID = {row.id: row for row in ROWS}
EACH = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)


def test_no_two_rows_share_an_id() -> None:
    """An id names one rule."""
    assert len(BY_ID) == len(ROWS)


@EACH
def test_verdicts_are_mirrored_or_it_is_written_why_not(row: Rule[Any]) -> None:
    """The verdict on what is sent is that of the mirror on what is received; a waiver stands only in need."""
    mirror = BY_ID[row.mirror or row.id]
    is_mirrored = (row.to_provider, row.to_consumer) == (mirror.to_consumer, mirror.to_provider)
    is_opposite = mirror.action is row.action.mirror

    assert (is_mirrored and is_opposite) is not bool(row.waiver)


@EACH
def test_sentences_are_parts_of_sentences(row: Rule[Any]) -> None:
    """A sentence can follow a place and be followed by a reason."""
    assert row.says[0].islower()
    assert not row.says.endswith(".")
