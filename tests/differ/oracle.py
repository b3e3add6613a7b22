"""Whether values that were allowed are refused: asked of a validator, which knows nothing of the differ.

Where the differ departs from pure inclusion of sets on purpose, so does the oracle: values are taken to carry
no property that is declared on one side only, and branches of `oneOf` to exclude each other.
"""

import json
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from devportal.contract.validate.json_schema import Direction as Travel
from devportal.contract.validate.json_schema import to_json_schema
from devportal.differ.contract_sources import Contracts
from devportal.differ.policy import Policy
from devportal.differ.rule import Direction, FoundChange, Rule, Verdict
from devportal.differ.schemas.compare_schemas import walk_comparisons
from tests.differ.building import RECEIVED, SENT, api_with, schema_in
from tests.differ.drawing import NAMES, VALUES, Rng
from tests.differ.strategies import Pair

_DEEPEST = 4
_CARELESS = ("property", "union", "one-of", "any-of")
"""Words in the ids of rules that take values to carry no property that is declared on one side only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the differ says of a pair in a direction, and the inclusion that it claims or denies.

    `readings` are the narrow schema and the wide one, as JSON Schema: as they are written, as the validator
    of contracts reads them, and with branches that exclude each other. An inclusion is refuted if it is so in
    all of them.
    """

    findings: tuple[tuple[str, Verdict], ...]
    readings: tuple[tuple[Any, Any], ...]
    written: tuple[Any, Any]
    """The narrow schema and the wide one as they are written, whatever the findings."""

    @property
    def is_breaking(self) -> bool:
        """Say whether something found is breaking."""
        return any(verdict is Verdict.BREAKING for _, verdict in self.findings)

    @property
    def is_safe(self) -> bool:
        """Say whether nothing found is worse than compatible."""
        return not any(verdict.is_at_least(Verdict.RISKY) for _, verdict in self.findings)

    @property
    def is_refuted(self) -> bool:
        """Say whether it is shown that the wide schema refuses a value of the narrow one."""
        return all(covers(wide, narrow) == "no" for narrow, wide in self.readings)

    @property
    def is_shown(self) -> bool:
        """Say whether it is shown that the wide schema allows all values of the narrow one."""
        narrow, wide = self.readings[0]
        return covers(wide, narrow) == "yes"

    @property
    def is_included(self) -> bool:
        """Say whether it is shown that the wide schema allows all values of the narrow one, to the letter.

        Equal branches of `oneOf` in the narrow one are an oversight to the differ: to the letter they allow
        nothing, and all that they describe would be included in anything.
        """
        narrow, wide = self.written
        return covers(wide, _exclusive(narrow)) == "yes"

    def counterexample(self, rng: Rng, draws: int) -> Any:
        """Return a value of the narrow schema that the wide one refuses, in a tuple; empty if none is met."""
        validators = [(_validator(narrow), _validator(wide)) for narrow, wide in self.readings]
        for _ in range(draws):
            value = drawn_value(rng)
            if all(narrow.is_valid(value) and not wide.is_valid(value) for narrow, wide in validators):
                return (value,)
        return ()


def judge_pair(pair: Pair, direction: Direction) -> Judgement:
    """Return the differ's verdict on a pair in a direction, with what a validator can check."""
    old, new = (
        api_with(*other_pair) for other_pair in ((pair.old, pair.old_shared), (pair.new, pair.new_shared))
    )
    contracts = Contracts.of(old, new, Policy())
    is_sent = direction is Direction.TO_PROVIDER
    start = contracts.compare_schemas(schema_in(old), schema_in(new), SENT if is_sent else RECEIVED)
    contracts.schemas.settle()
    assert start is not None
    hits = [
        (rule, hit, comparison.direction)
        for comparison in walk_comparisons(start.compared)
        for rule, hit in comparison.changes
    ]
    findings = tuple(
        (rule.id, verdict) for rule, hit, its in hits if (verdict := _verdict(rule, hit, its)) is not None
    )
    written = written_schema(pair.old, pair.old_shared), written_schema(pair.new, pair.new_shared)
    travel = Travel.REQUEST if is_sent else Travel.RESPONSE
    read = tuple(
        {"allOf": [True], **_object(to_json_schema(api, schema_in(api), travel))} for api in (old, new)
    )
    readings = [written, read, tuple(_exclusive(item) for item in written)]
    if any(word in rule for rule, _ in findings for word in _CARELESS):
        readings = [(_without_names(first), _without_names(other)) for first, other in readings]
    return Judgement(
        findings=findings,
        readings=tuple((first, other) if is_sent else (other, first) for first, other in readings),
        written=written if is_sent else (written[1], written[0]),
    )


def covers(wide: Any, narrow: Any) -> str:
    """Return "yes", "no", or what else is known of whether one schema allows all values of another."""
    try:
        one, other = (
            jsonschema_rs.canonicalize(schema, draft=jsonschema_rs.Draft202012, validate_formats=True)
            for schema in (wide, narrow)
        )
        return str(one.covers(other))
    except (ValueError, jsonschema_rs.canonical.UnsupportedOperand):
        return "not supported"


def drawn_value(rng: Rng, depth: int = 0) -> Any:
    """Return a value of the kind that drawn schemas are about."""
    kind = rng.randrange(3 if depth else 5) if depth < _DEEPEST else 0
    match kind:
        case 3 | 1:
            names = rng.sample([*NAMES, "xy"], rng.randint(0, 4))
            return {name: drawn_value(rng, depth + 1) for name in names}
        case 4 | 2:
            return [drawn_value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    return rng.choice([*VALUES, "ab", "abcabc", rng.randint(-2, 10), rng.randint(-4, 20) / 2])


def _verdict(rule: Rule[Any], hit: FoundChange, direction: Direction) -> Verdict | None:
    return hit.verdict or rule.verdict(direction)


def written_schema(schema: Any, shared: Any) -> dict[str, Any]:
    """Return a schema as it is written, with the shared ones beside it."""
    return {"$ref": "#/components/schemas/It", "components": {"schemas": {"It": schema, **shared}}}


def _object(schema: Any) -> dict[str, Any]:
    return schema if isinstance(schema, dict) else {"allOf": [schema]}


def _exclusive(schema: Any) -> Any:
    return json.loads(json.dumps(schema).replace('"oneOf"', '"anyOf"'))


def _without_names(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema whose values hold none of the names that drawn schemas declare."""
    none: Any = True
    for _ in range(_DEEPEST):
        none = {"properties": dict.fromkeys(NAMES, False), "additionalProperties": none, "items": none}
    return {**schema, "allOf": [*schema.get("allOf", []), none]}


def _validator(schema: Any) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
