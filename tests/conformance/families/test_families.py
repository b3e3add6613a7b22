"""What the families see in exchanges, without a server."""

from dataclasses import replace

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.families.creations import unique_ids
from devportal.conformance.families.registry import FAMILIES
from devportal.conformance.families.responses import problem_details
from devportal.conformance.families.validation import valid_data
from devportal.conformance.knowledge.response_check import ResponseAspect, response_mismatches
from devportal.conformance.knowledge.subject import Subject
from devportal.contract.validate.validator import Validator
from tests.conformance.running import CONTRACT
from tests.conformance.values import exchange
from tests.contracts import contract_at

LOADED = contract_at(CONTRACT)
SUBJECT = Subject(
    contract=LOADED,
    operations=LOADED.api.operations,
    base_url="http://127.0.0.1:1",
    validator=Validator(LOADED.api),
)
REGISTER = SUBJECT.operations[0]
ID = "0123456789abcdef0123456789abcdef"
PARCEL = {"id": "pcl_1", "state": "registered", "destination": "GB", "weight_g": 1}
INVALID = "https://parcels.example/errors/invalid"
NOT_CARRIED = "https://parcels.example/errors/not-carried"


def refusal(kind: str, *, is_valid: bool, **members: object) -> Exchange:
    """Return a refusal with 422."""
    problem = {"type": kind, "title": "no", "status": 422, "request_id": ID, **members}
    made = exchange(422, problem, kind="application/problem+json", X_Request_Id=ID)
    return replace(made, is_valid=is_valid)


def mismatched_aspects(made: Exchange) -> set[ResponseAspect]:
    """Return the aspects in which a response does not match."""
    assert made.answer is not None
    return {
        response_mismatch.aspect
        for response_mismatch in response_mismatches(SUBJECT.validator, REGISTER, made.answer)
    }


def test_families_have_distinct_names() -> None:
    """A name leads to one family, and each family does something."""
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)
    assert all(family.probes is not None or family.sees is not None for family in FAMILIES)


def test_a_right_answer_breaks_nothing() -> None:
    """Status, media type with parameters, headers in any case and body are all as promised."""
    made = exchange(201, PARCEL, kind="application/json; charset=utf-8", x_request_id=ID)

    assert mismatched_aspects(made) == set()


def test_each_aspect_of_an_answer_is_looked_at() -> None:
    """Another status, media type, header or body is seen as what it is."""
    right = {"x_request_id": ID}

    assert mismatched_aspects(exchange(200, PARCEL, **right)) == {ResponseAspect.STATUS}
    assert mismatched_aspects(exchange(201, PARCEL, kind="text/html", **right)) == {ResponseAspect.MEDIA_TYPE}
    assert mismatched_aspects(exchange(201, PARCEL)) == {ResponseAspect.HEADER}
    assert mismatched_aspects(exchange(201, PARCEL, x_request_id="?")) == {ResponseAspect.HEADER}
    assert mismatched_aspects(exchange(201, {**PARCEL, "id": "1"}, **right)) == {ResponseAspect.BODY}


def with_idempotency_key(made: Exchange, key: str) -> Exchange:
    """Return an exchange whose request has an idempotency key."""
    headers = (*made.request.headers, ("Idempotency-Key", key))
    return replace(made, request=replace(made.request, headers=headers))


def test_ids_are_compared_between_different_requests_only() -> None:
    """The same request may get the same resource, and so may a repeated idempotency key."""
    first, other = exchange(201, PARCEL, sent={"weight_g": 1}), exchange(201, PARCEL, sent={"weight_g": 2})

    assert len(list(unique_ids.find_failures(SUBJECT, (first, other)))) == 1
    assert (
        len(
            list(
                unique_ids.find_failures(
                    SUBJECT, (with_idempotency_key(first, "k"), with_idempotency_key(other, "l"))
                )
            )
        )
        == 1
    )
    assert not list(unique_ids.find_failures(SUBJECT, (first, first)))
    assert not list(
        unique_ids.find_failures(
            SUBJECT, (with_idempotency_key(first, "k"), with_idempotency_key(other, "k"))
        )
    )


def test_each_id_that_is_repeated_is_told_once() -> None:
    """Three resources of one name are one fault, and two names are two."""
    made = [
        exchange(201, {**PARCEL, "id": name}, sent={"weight_g": weight})
        for weight, name in enumerate(("pcl_1", "pcl_1", "pcl_1", "pcl_2", "pcl_2", "pcl_3"), start=1)
    ]

    told = [failure.message for failure in unique_ids.find_failures(SUBJECT, tuple(made))]

    assert told == [f"two different requests both got {name!r}" for name in ("pcl_1", "pcl_2")]


def test_identifiers_that_were_sent_may_occur_twice() -> None:
    """What the request names is the identifier of something else, to which many things may belong."""
    for name in ("id", "parcel"):
        first = exchange(201, PARCEL, sent={name: "pcl_1", "weight_g": 1})
        other = exchange(201, PARCEL, sent={name: "pcl_1", "weight_g": 2})

        assert not list(unique_ids.find_failures(SUBJECT, (first, other)))


def test_a_number_that_was_sent_is_an_identifier_only_by_its_name() -> None:
    """A weight of 7 is no reason for two parcels to have the number 7."""
    numbered = {**PARCEL, "id": 7}
    for name, count in (("weight_g", 1), ("number", 0), ("parcel_id", 0)):
        made = [exchange(201, numbered, sent={name: 7, "destination": place}) for place in ("GB", "FR")]

        assert len(list(unique_ids.find_failures(SUBJECT, tuple(made)))) == count, name


def test_identifiers_in_the_path_may_occur_twice() -> None:
    """What is done to a thing that the path names makes no new one."""
    made = [exchange(202, PARCEL, sent={"weight_g": weight}) for weight in (1, 2)]
    url = f"{made[0].request.url}/pcl%5F1/replay"
    again = [replace(item, request=replace(item.request, url=url)) for item in made]

    assert list(unique_ids.find_failures(SUBJECT, tuple(made)))
    assert not list(unique_ids.find_failures(SUBJECT, tuple(again)))


def test_problem_documents_are_compared_with_their_answers() -> None:
    """Status and identifier say the same in header and body; a HEAD has no body to compare."""
    head = replace(
        refusal(INVALID, is_valid=False, status=400), request=Request(method="HEAD", url="http://x/")
    )

    assert not list(problem_details.find_failures(SUBJECT, (refusal(INVALID, is_valid=False), head)))
    assert [
        failure.title
        for wrong in ({"status": 400}, {"request_id": "f" * 32})
        for failure in problem_details.find_failures(SUBJECT, (refusal(INVALID, is_valid=False, **wrong),))
    ] == [
        "a problem's status differs from the HTTP status",
        "a problem's identifier differs from its header",
    ]


def test_valid_data_must_not_be_called_invalid() -> None:
    """The problem type that invalid data gets is a lie about valid data; a business reason is not."""
    learned = tuple(refusal(INVALID, is_valid=False) for _ in range(valid_data.FEWEST_REFUSALS))
    lie, reason = refusal(INVALID, is_valid=True), refusal(NOT_CARRIED, is_valid=True)

    assert len(list(valid_data.find_failures(SUBJECT, (*learned, lie)))) == 1
    assert not list(valid_data.find_failures(SUBJECT, (*learned, reason)))
    assert not list(valid_data.find_failures(SUBJECT, (*learned[1:], lie)))


def test_only_what_is_surely_invalid_teaches_what_invalid_data_gets() -> None:
    """Our own probes are not marked as valid; what they get is no lesson where the contract allows them."""
    allowed = {"destination": "GB", "weight_g": 13}
    reason = replace(refusal(NOT_CARRIED, is_valid=False), request=exchange(422, sent=allowed).request)
    refused = tuple(replace(reason, sent_at=float(number)) for number in range(valid_data.FEWEST_REFUSALS))

    assert not list(valid_data.find_failures(SUBJECT, (*refused, refusal(NOT_CARRIED, is_valid=True))))
