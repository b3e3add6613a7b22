"""Numbers of a list in a request that must have a total: "The weights of all variants must add up to 100"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.responses.demanded_orders import rejects_wrong_orders, send_out_of_order
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.failures import first_response_failure
from devportal.conformance.knowledge.requests.request_variants import ObjectBody, valid_body
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    CreatedResource,
    create_resource,
    is_success,
    read_created,
)
from devportal.conformance.knowledge.resources.operation_resources import send_members
from devportal.conformance.knowledge.resources.representation_match import is_json_number
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Schema
from devportal.contract.resources import Resource, object_properties
from devportal.contract.values.member_rules import parse_number
from devportal.contract.wording import name_words, one_line_sentences, plain_letters

_NUMBER = (
    r"(?:exactly\s+)?(?P<total>\d+(?:\.\d+)?)\s*(?:%|per\s?cent\b)?"
    r"(?=\s*(?:$|[,(])|\s+(?:and|else|otherwise|or\s+(?:the|it|a|`?4\d\d))\b)"
)
_DEMAND = r"\s+(?:must|has\s+to|have\s+to|needs?\s+to)\s+(?:always\s+)?"
_START = r"^(?!(?:as|at|by|during|for|given|in|on|to|under|with)\b)"
"""A sentence that begins otherwise is about some bodies only: "For split deeds, the shares must add up to 100"."""
_TOTALS = (
    re.compile(
        rf"{_START}(?P<what>[^,;]+?){_DEMAND}(?:add\s+up|sum(?:\s+up)?|total)(?:\s+to)?\s+{_NUMBER}(?P<rest>.*)",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:the\s+)?(?:sum|total)\s+of\s+"
        rf"(?P<what>[^,;]+?){_DEMAND}(?:be|equal)(?:\s+to)?\s+{_NUMBER}(?P<rest>.*)",
        re.IGNORECASE,
    ),
)
_CONDITIONS = re.compile(
    r"\b(?:if|when|whenever|unless|except|once|while|until|before|after|where|who|whose|that|which|without|"
    r"round\w*|tolerance|within|usually|normally)\b",
    re.IGNORECASE,
)
_ELSE = re.compile(r"\b(?:or|else|otherwise)\b", re.IGNORECASE)
_REFUSED = re.compile(r"\b(?:4\d\d|reject\w*|refus\w*|invalid|errors?|fails?)\b", re.IGNORECASE)
_SHORTEST_WORD = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Total:
    """A number that a member of all items of a list must add up to, and the sentence that demands it."""

    items: str
    member: str
    value: Decimal
    sentence: str

    def of(self, members: Mapping[str, Any]) -> Decimal | None:
        """Return what the items of a body add up to, None if it has none or one lacks the number."""
        items = members.get(self.items)
        numbers = [
            parse_number(item.get(self.member)) if isinstance(item, dict) else None
            for item in (items if isinstance(items, list) else ())
        ]
        known = [number for number in numbers if number is not None]
        return sum(known, Decimal(0)) if known and len(known) == len(numbers) else None


def total_probes(subject: Subject, resource: Resource) -> Iterator[Probe]:
    """Yield a probe for the creation of a resource whose body has a list with a total that clients must keep."""
    create, body = resource.create, valid_body(subject, resource.create)
    if create is None or body is None or not rejects_wrong_orders(create):
        return
    totals = demanded_totals(subject, create, body)
    if totals:
        run = partial(_check_totals, subject, resource, body, totals)
        yield Probe(operation=operation_label(create), run=run)


def demanded_totals(subject: Subject, operation: Operation, body: ObjectBody) -> tuple[_Total, ...]:
    """Return the totals that the lists of a body must have, by the sentences about the operation and the lists."""
    found: dict[tuple[str, str], _Total] = {}
    for property_ in object_properties(subject.api, body.schema):
        meaning = subject.api.resolve(property_.schema)
        if meaning.items is None:
            continue
        numbers = [
            member
            for member in object_properties(subject.api, meaning.items)
            if {"integer", "number"} & set(subject.api.resolve(member.schema).types)
        ]
        own = (
            meaning.description,
            property_.schema.description,
            *(_text(subject, each.schema) for each in numbers),
        )
        sentences = [sentence for text in own for sentence in one_line_sentences(text)]
        of_operation = operation_sentences(operation)
        for sentence in (*sentences, *of_operation):
            match = next((each for pattern in _TOTALS if (each := pattern.search(sentence))), None)
            if match is None or _has_exceptions(sentence, match["rest"]):
                continue
            words = match["what"].replace("`", " ")
            named = [member.name for member in numbers if _is_named(words, member.name)]
            is_about_list = sentence in sentences or _is_named(words, property_.name)
            if len(named) == 1 and is_about_list:
                total = _Total(
                    items=property_.name, member=named[0], value=Decimal(match["total"]), sentence=sentence
                )
                found.setdefault((total.items, total.member), total)
    return tuple(found.values())


def _has_exceptions(sentence: str, rest: str) -> bool:
    """Return whether a sentence, which ends with `rest`, allows other totals: with a condition, or with something else
    than a rejection: "otherwise they are scaled".
    """
    has_choice = _ELSE.search(rest) is not None and _REFUSED.search(rest) is None
    return has_choice or _CONDITIONS.search(sentence) is not None


def _text(subject: Subject, schema: Schema) -> str:
    return schema.description or subject.api.resolve(schema).description


def _is_named(words: str, name: str) -> bool:
    """Return whether words name a member, maybe in the plural or as `percent` is named "percentages"."""
    spoken, last = [plain_letters(word) for word in words.split()], name_words(name)[-1:]
    return (plain_letters(name) in plain_letters(words) and len(name) >= _SHORTEST_WORD) or any(
        word in (each, f"{each}s") or (len(each) >= _SHORTEST_WORD and word.startswith(each))
        for word in spoken
        for each in last
    )


def _check_totals(
    subject: Subject, resource: Resource, body: ObjectBody, totals: Sequence[_Total], send: Send
) -> Iterator[CheckFailure]:
    """Create a resource with a list that has its total, then try lists with less and with more."""
    create, has_compared = resource.create, False
    for total in totals if create is not None else ():
        good = next(
            (each for each in _members_with_total(total, body.members) if body.is_valid(subject, each)), None
        )
        if create is None or good is None:
            continue
        created = create_resource(subject, resource, send, request=body.request(good))
        if total.of(created.sent_members) != total.value:
            continue  # another request was accepted
        has_compared = True
        for broken in _members_with_other_totals(total, created.sent_members):
            if not body.is_valid(subject, broken):
                continue
            exchange = send_out_of_order(subject, resource, create, body.request(broken), send)
            if is_success(exchange) and exchange.status != ACCEPTED:
                yield _failure(create, total, broken, created.exchange, exchange)
                break
        yield from _check_changes(subject, created, total, send)
    if not has_compared:
        raise Unsendable("a list with the total that the contract demands, which the deployment accepts")


def _check_changes(
    subject: Subject, created: CreatedResource, total: _Total, send: Send
) -> Iterator[CheckFailure]:
    """Change a resource whose list has its total to one with less and with more."""
    resource = created.resource
    before = read_created(subject, created, send) if resource.read is not None else created.exchange
    for change in filter(rejects_wrong_orders, resource.changes):
        for broken in _members_with_other_totals(total, created.sent_members):
            members = {total.items: broken[total.items]}
            try:
                changed = send_members(subject, created, change, members, before, send)
            except Unsendable:
                break
            if changed is not None and is_success(changed) and changed.status != ACCEPTED:
                yield _failure(change, total, broken, created.exchange, changed)
                break


def _members_with_total(total: _Total, members: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the members of a body with a list that has its total: as they are, with one item, and with two."""
    items = members.get(total.items)
    if total.of(members) == total.value:
        yield members
    if isinstance(items, list) and items and isinstance(items[0], dict):
        whole = int(total.value) if total.value == int(total.value) else float(total.value)
        yield {**members, total.items: [{**items[0], total.member: whole}]}
        halves = {total.member: whole / 2 if whole % 2 else int(whole) // 2}
        yield {**members, total.items: [{**item, **halves} for item in (items * 2)[:2]]}


def _members_with_other_totals(total: _Total, members: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the members of a body whose list has a smaller total, and a greater one."""
    *others, last = members[total.items]
    value, step = last[total.member], 1 if total.value > 1 else 0.1
    for moved in (value - step, value + step) if is_json_number(value) else ():
        rounded = moved if isinstance(moved, int) else round(moved, 6)
        yield {**members, total.items: [*others, {**last, total.member: rounded}]}


def _failure(operation: Operation, total: _Total, members: Mapping[str, Any], *evidence: Any) -> CheckFailure:
    message = (
        f"{total.member!r} adds up to {total.of(members)} in {total.items!r}, which was accepted: "
        f'{evidence[-1].status}. The contract says: "{total.sentence}"'
    )
    return first_response_failure(
        operation, f"{total.items!r} is accepted with another total", message, *evidence
    )
