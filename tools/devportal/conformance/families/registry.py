"""The check families, one row each. To add one: a module beside this one, and a row here."""

from devportal.conformance.families import (
    answers,
    authentication,
    documented_responses,
    media_types,
    methods,
    odd_bodies,
    problem_details,
    unique_ids,
    valid_data,
)
from devportal.conformance.subject import Family

FAMILIES = (
    Family(
        name="authentication",
        summary="nobody gets in without a valid credential",
        probes=authentication.probes,
    ),
    Family(name="methods", summary="undeclared methods are refused", probes=methods.probes),
    Family(name="media-types", summary="undocumented media types are refused", probes=media_types.probes),
    Family(name="odd-bodies", summary="no body is a server error", probes=odd_bodies.probes),
    Family(name="answers", summary="every request gets an answer", sees=answers.sees),
    Family(
        name="documented-responses",
        summary="every answer is documented",
        sees=documented_responses.sees,
        sees_all=False,
    ),
    Family(
        name="problem-details",
        summary="problem documents agree with their answers",
        sees=problem_details.sees,
    ),
    Family(name="unique-ids", summary="identifiers are unique", sees=unique_ids.sees),
    Family(name="valid-data", summary="valid data is not called invalid", sees=valid_data.sees),
)
