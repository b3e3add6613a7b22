"""Idempotency keys of samples: each request has its own, or the second one would be a repetition of the first."""

import re

from devportal.contract import Api, Operation, ParameterLocation
from devportal.contract.conventions import default_conventions
from devportal.contract.idempotency_keys import idempotency_parameter
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.synthesis import is_valid_value
from devportal.reference.samples.request import TextOrSecrets

_LAST_DIGITS = re.compile(r"[0-9]+\Z")

SampleHeaders = tuple[tuple[str, TextOrSecrets], ...]


def with_request_key(api: Api, operation: Operation, headers: SampleHeaders, number: int) -> SampleHeaders:
    """Return the headers of the sample with a number, from 0: those of later ones have keys that count on, if the
    contract allows them.
    """
    parameter = idempotency_parameter(default_conventions(), operation) if number else None
    if parameter is None or parameter.location_in is not ParameterLocation.HEADER:
        return headers

    def other_key(texts: TextOrSecrets) -> TextOrSecrets:
        text = "".join(text for text in texts if isinstance(text, str))
        key = _LAST_DIGITS.sub(lambda digits: _count_on(digits[0], number), text)
        is_valid = parameter.schema is None or is_valid_value(api, parameter.schema, key, Direction.REQUEST)
        return (key,) if is_valid and len(texts) == 1 else texts

    return tuple(
        (name, other_key(texts) if name.lower() == parameter.name.lower() else texts)
        for name, texts in headers
    )


def _count_on(digits: str, number: int) -> str:
    """Return digits that are more by a number, as many as there were."""
    return str((int(digits) + number) % 10 ** len(digits)).zfill(len(digits))
