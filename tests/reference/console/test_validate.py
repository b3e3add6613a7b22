"""The validator of the console judges as Python's does."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from devportal.contract import Api
from devportal.contract.schemas import ABSENT
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.synthesis import synthesise
from devportal.differ.policy import ENFORCED_FORMATS
from devportal.reference.console.operations import response_schemas
from devportal.reference.console.schemas import SharedSchemas
from tests.corpus import corpus_contract, each_contract
from tests.reference.reading import api_from

from .format_texts import FORMATS
from .node import ask, run

RANDOM = 2000
TEXTS = ("", "a", "ab", "é😀", "abc-1", "2026-02-29", "2024-02-29", "x@y.example", "12")
FORMATTED = {"format": "date"}

Case = dict[str, Any]
Way = Callable[[int], Any]


def python_verdict(case: Case) -> tuple[bool, list[list[str]]]:
    """Return Python's verdict on a case: whether it is valid, and the places of its errors."""
    schema = {"$defs": case["shared"], "allOf": [case["schema"]]}
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    places = [[*map(str, error.instance_path)] for error in validator.iter_errors(case["value"])]
    return not places, places


def disagreements(folder: Path, cases: list[Case]) -> list[Any]:
    """Return the cases on which the two disagree."""
    answers = ask(folder, "verdicts", cases)
    return [
        (case, answer["findings"])
        for case, answer in zip(cases, answers, strict=True)
        if not answer["isWhole"] or (not answer["findings"]) != python_verdict(case)[0]
    ]


def case(schema: Any, value: Any, shared: dict[str, Any] | None = None) -> Case:
    return {"schema": schema, "value": value, "shared": shared or {}}


class Maker:
    """Makes random schemas, and values that often fit them."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def schema(self, depth: int = 3) -> Any:
        """Return a schema of few keywords."""
        rng = self.rng
        if rng.random() < 0.08:
            return rng.choice([True, False, {"$ref": "#/$defs/0-Node"}, {"$ref": "#/$defs/1-a~1b%25"}])
        kinds: list[Way] = [self._number, self._text, self._value_rules]
        kinds += [self._list, self._object, self._union, self._condition] if depth else []
        made: dict[str, Any] = {}
        for _ in range(rng.choice([1, 1, 2])):
            made |= rng.choice(kinds)(depth - 1)
        return made

    def _value_rules(self, _: int) -> Any:
        names = ["string", "integer", "number", "boolean", "null", "array", "object"]
        return self.rng.choice(
            [
                {"type": self.rng.sample(names, self.rng.randint(1, 2))},
                {"enum": [self.value(1) for _ in range(3)]},
                {"const": self.value(1)},
            ]
        )

    def _number(self, _: int) -> Any:
        words = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
        return {self.rng.choice(words): self.rng.randint(-2, 3), "multipleOf": self.rng.choice([1, 2, 0.5])}

    def _text(self, _: int) -> Any:
        patterns = ["^a", "b$", "^[a-z]+-\\d$", "\\p{L}", "^.$"]
        return self.rng.choice(
            [
                {"minLength": self.rng.randint(0, 3)},
                {"maxLength": self.rng.randint(0, 3)},
                {"pattern": self.rng.choice(patterns)},
                {"type": ["string"], "format": self.rng.choice(["date", "email", "uuid", "int64"])},
            ]
        )

    def _list(self, depth: int) -> Any:
        words: dict[str, Any] = {"items": self.schema(depth)}
        if self.rng.random() < 0.4:
            words["prefixItems"] = [self.schema(depth), self.schema(depth)]
        if self.rng.random() < 0.3:
            words |= {"contains": self.schema(depth), "minContains": self.rng.randint(0, 2)}
        if self.rng.random() < 0.3:
            words["uniqueItems"] = True
        if self.rng.random() < 0.3:
            words |= {"minItems": 1, "maxItems": self.rng.randint(1, 3)}
        if self.rng.random() < 0.2:
            del words["items"]
            words["unevaluatedItems"] = self.rng.choice([False, self.schema(0)])
        return words

    def _object(self, depth: int) -> Any:
        words: dict[str, Any] = {"properties": {name: self.schema(depth) for name in "ab"}}
        if self.rng.random() < 0.4:
            words["required"] = self.rng.sample("abc", 1)
        if self.rng.random() < 0.4:
            words["additionalProperties"] = self.rng.choice([False, self.schema(depth)])
        if self.rng.random() < 0.2:
            words["patternProperties"] = {"^[bc]": self.schema(depth)}
        if self.rng.random() < 0.2:
            words["propertyNames"] = {"maxLength": 1, "enum": ["a", "b", "c"]}
        if self.rng.random() < 0.2:
            words |= {"minProperties": 1, "maxProperties": self.rng.randint(1, 3)}
        if self.rng.random() < 0.2:
            words |= {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"b": self.schema(depth)}}
        if self.rng.random() < 0.25:
            words["unevaluatedProperties"] = self.rng.choice([False, self.schema(0)])
        return words

    def _union(self, depth: int) -> Any:
        word = self.rng.choice(["allOf", "anyOf", "oneOf"])
        return {word: [self.schema(depth) for _ in range(2)]}

    def _condition(self, depth: int) -> Any:
        if self.rng.random() < 0.4:
            return {"not": self.schema(depth)}
        return {"if": self.schema(depth), "then": self.schema(depth), "else": self.schema(depth)}

    def value(self, depth: int = 3) -> Any:
        """Return a value."""
        rng = self.rng
        roll = rng.randrange(8 if depth else 5)
        if roll == 5:
            return [self.value(depth - 1) for _ in range(rng.randint(0, 3))]
        if roll > 5:
            return {name: self.value(depth - 1) for name in rng.sample("abcd", rng.randint(0, 3))}
        return [
            rng.choice(TEXTS),
            rng.randint(-3, 4),
            rng.choice([0.5, 1.0, -1.25]),
            rng.random() < 0.5,
            None,
        ][roll]


def test_random_values_are_judged_as_in_python(folder: Path) -> None:
    """Every keyword, alone and with others, by itself and in a place of its own."""
    rng = random.Random(2020)  # noqa: S311 - the same in each run
    maker = Maker(rng)
    shared = {
        "0-Node": {"properties": {"a": {"$ref": "#/$defs/0-Node"}, "b": {"type": ["integer"]}}},
        "1-a/b%": {"type": ["string"], "minLength": 1},
    }
    cases = [case(maker.schema(), maker.value(), shared) for _ in range(RANDOM)]

    assert disagreements(folder, cases) == []
    assert {python_verdict(item)[0] for item in cases} == {True, False}


def test_formats_are_judged_as_in_python(folder: Path) -> None:
    """Each that the validator knows, with texts on both sides; one that it does not know says nothing."""
    cases = [
        case({"type": ["string"], "format": name}, text) for name, texts in FORMATS.items() for text in texts
    ]
    told = {(item["schema"]["format"], python_verdict(item)[0]) for item in cases}

    assert disagreements(folder, cases) == []
    assert {name for name in FORMATS if (name, False) in told} == {*FORMATS} - {"int32", "byte", "password"}
    assert {name for name, is_valid in told if is_valid} == {*FORMATS}


def test_formats_are_those_of_python(folder: Path) -> None:
    """No format that the build checks is left out, and none is added."""
    (answer,) = worker_replies(folder, ["form", {"checks": [{"path": "", "schema": FORMATTED, "value": ""}]}])

    assert {*answer["formats"]} == {
        name
        for name in ENFORCED_FORMATS
        if not all(python_verdict(case({"format": name}, text))[0] for text in (" ", "("))
    }


def worker_replies(
    folder: Path, *asked: list[Any], schemas: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Return what the worker posts for each task, and which formats it knows then."""
    asked_of = [[task, {"addresses": [], **given}] for task, given in asked]
    answers: list[dict[str, Any]] = run(
        "working.mjs", {"folder": str(folder), "schemas": schemas or {}, "asked": asked_of}
    )
    return answers


def test_form_says_whether_all_of_it_was_looked_at(folder: Path) -> None:
    """Of any of its values; what is found has the path of its field."""
    long = {"path": "/body", "schema": {"items": {"type": ["string"]}}, "value": [1] * 200}
    short = {"path": "/query a/b", "schema": {"items": {"required": ["c~/"]}}, "value": [{}]}

    whole, part = worker_replies(folder, ["form", {"checks": [short]}], ["form", {"checks": [long, short]}])

    assert [item["posted"][0] for item in (whole, part)] == [{}, {}]
    assert whole["posted"][1]["made"] == {
        "findings": [{"path": "/query a/b/0/c~0~1", "message": "is required"}],
        "isWhole": True,
    }
    assert part["posted"][1]["made"]["isWhole"] is False


@pytest.mark.parametrize("is_shared", [False, True])
def test_formats_are_loaded_where_a_schema_names_one(is_shared: object, folder: Path) -> None:
    """Not for a body that has none; also where it stands in what several operations share."""
    plain = {"text": '"x"', "isJson": True, "most": 9, "schema": {"type": ["string"]}}
    shared = {"schema": {"$ref": "#/$defs/a"}, "addresses": ["received-0.json"]}
    named = plain | (shared if is_shared else {"schema": FORMATTED})

    before, after = worker_replies(
        folder, ["answer", plain], ["answer", named], schemas={"received-0.json": {"a": FORMATTED}}
    )

    assert before["formats"] == []
    assert after["formats"]
    assert [finding["message"] for finding in after["posted"][-1]["made"]["verdict"]["findings"]] == [
        '"x" is not a valid date'
    ]


@pytest.mark.corpus
@each_contract
def test_answers_of_others_are_judged_as_in_python(name: str, folder: Path) -> None:
    """Bodies made from the schemas, and the same with a part that is missing or of another type."""
    api = corpus_contract(name).api
    rng = random.Random(name)  # noqa: S311 - the same in each run

    assert disagreements(folder, [*_answers(api, rng)][:300]) == []


def _answers(api: Api, rng: random.Random) -> Any:
    roots = [
        *{
            id(response_schema): response_schema
            for each in api.operations
            for response_schema in response_schemas(each)
        }.values()
    ]
    roots = rng.sample(roots, min(len(roots), 12))
    for root in roots:
        export = SharedSchemas(api, Direction.RESPONSE, [root])
        shared = {name: load for chunk in export.chunks() for name, load in json.loads(chunk.content).items()}
        value = synthesise(api, root, Direction.RESPONSE)
        if value is ABSENT:
            continue
        for each in (value, *(spoil(value, rng) for _ in range(4))):
            yield case(export.root(root), each, shared)


def spoil(value: Any, rng: random.Random) -> Any:
    """Return a value with one thing in it changed."""
    if isinstance(value, dict) and value:
        name = rng.choice([*value])
        if rng.random() < 0.3:
            return {key: other_value for key, other_value in value.items() if key != name}
        return {**value, name: spoil(value[name], rng)}
    if isinstance(value, list) and value:
        return [spoil(value[0], rng), *value[1:]]
    return rng.choice([1, "x", None, True, {}, [], 1.5])


@pytest.mark.parametrize(
    ("schema", "value", "findings"),
    [
        ({"type": ["integer"]}, "x", [[[], "type", '"x" is not an integer']]),
        (
            {"required": ["a"], "additionalProperties": False},
            {"b": 1},
            [[["a"], "required", "is required"], [["b"], "additionalProperties", "is not a known field"]],
        ),
        ({"items": {"maximum": 1}}, [0, 2], [[["1"], "maximum", "2 is more than 1"]]),
        ({"enum": ["a", "b"]}, "c", [[[], "enum", '"c" is not one of "a", "b"']]),
        ({"maxLength": 1}, "é😀", [[[], "maxLength", "has 2 characters, allows at most 1"]]),
        (
            {
                "oneOf": [
                    {"properties": {"k": {"const": "a"}}},
                    {"properties": {"k": {"const": "b"}, "n": {"type": ["integer"]}}},
                ]
            },
            {"k": "b", "n": "x"},
            [[["n"], "type", '"x" is not an integer']],
        ),
        (
            {"anyOf": [{"type": ["string"]}, {"type": ["null"]}]},
            5,
            [[[], "anyOf", "5 matches none of 2 variants"]],
        ),
    ],
)  # fmt: skip
def test_findings_say_where_and_what(schema: Any, value: Any, findings: Any, folder: Path) -> None:
    """The place of what is missing is where it belongs; of a union, the branch that is meant is told."""
    assert ask(folder, "verdicts", [case(schema, value)])[0]["findings"] == findings


@pytest.mark.parametrize(
    ("value", "factor", "is_multiple"),
    [
        (1234567890.5, 1, False),
        (1234567890, 1, True),
        (99999999.999, 0.01, False),
        (99999999.99, 0.01, True),
        (0.3, 0.1, True),
        (19.99, 0.01, True),
        (1e-12, 1, False),
        (0, 0.01, True),
        (-4.35, 0.01, True),
        (1700000000000001, 1000, False),
        (4503599627370497, 2, False),
        (-9007199254740991, 2, False),
        (9007199254740990, 2, True),
    ],
)
def test_multiples_are_told_as_far_as_numbers_are_exact(
    value: float, factor: float, is_multiple: object, folder: Path
) -> None:
    """Decimals have no exact double: the last bits may differ, and no more."""
    (answer,) = ask(folder, "verdicts", [case({"multipleOf": factor}, value)])

    assert (not answer["findings"]) is is_multiple


FOO: dict[str, Any] = {"properties": {"foo": {}}}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"allOf": [FOO, {"unevaluatedProperties": False}]}, {"foo": 1}),
        ({"allOf": [FOO, {"unevaluatedProperties": False}], "unevaluatedProperties": False}, {"foo": 1}),
        ({"allOf": [{"unevaluatedProperties": True}], "unevaluatedProperties": False}, {"foo": 1}),
        ({"allOf": [{**FOO, "unevaluatedItems": False}], "unevaluatedProperties": False}, {"foo": 1}),
        ({"allOf": [{**FOO, "unevaluatedItems": False}], "unevaluatedProperties": False}, {"bar": 1}),
        ({"anyOf": [{**FOO, "unevaluatedItems": False}], "unevaluatedProperties": False}, {"foo": 1}),
        ({"allOf": [{"items": {}, "unevaluatedProperties": False}], "unevaluatedItems": False}, [1]),
        ({"prefixItems": [{}], "allOf": [{"unevaluatedItems": False}]}, [1]),
    ],
)
def test_what_is_unevaluated_is_judged_as_in_python(schema: Any, value: Any, folder: Path) -> None:
    """What a schema looks at counts for those around it, and not for those beside it."""
    assert disagreements(folder, [case(schema, value)]) == []


@pytest.mark.parametrize(
    ("pattern", "right", "wrong_text"),
    [
        (r"^[\p{L}]+\-\d+$", "é-1", "1-1"),
        (r"^[\w-.]+\@x\.org$", "a-b.c@x.org", "a@x,org"),
        ("^.$", "😀", "ab"),
    ],
)
def test_patterns_are_read_by_whole_characters(
    pattern: str, right: str, wrong_text: str, folder: Path
) -> None:
    """As files of the console have them: what only older readers of patterns took is written anew."""
    api = api_from({"components": {"schemas": {"S": {"pattern": pattern}}}})
    (schema,) = api.schemas.values()
    root = SharedSchemas(api, Direction.RESPONSE, [schema]).root(schema)

    answers = ask(folder, "verdicts", [case(root, right), case(root, wrong_text)])

    assert [len(answer["findings"]) for answer in answers] == [0, 1]


def test_a_pattern_that_cannot_be_read_refuses_nothing(folder: Path) -> None:
    """A text, a name, and what other names may stand for."""
    unread = r"\A\d+\Z"
    schema = {"pattern": unread, "patternProperties": {unread: {}}, "additionalProperties": False}
    beside = {"patternProperties": {unread: {}}, "unevaluatedProperties": False}

    answers = ask(folder, "verdicts", [case(schema, "12"), case(schema, {"12": 1}), case(beside, {"12": 1})])

    assert [answer["findings"] for answer in answers] == [[], [], []]


def test_work_is_bounded(folder: Path) -> None:
    """A schema without an end, and a value with too much to look at, stop: it is said that it was not all."""
    endless = {"0-a": {"allOf": [{"$ref": "#/$defs/0-a"}]}}
    many = {"items": {"anyOf": [{"type": ["string"]}] * 50}}
    cases = [case({"$ref": "#/$defs/0-a"}, 1, endless), case(many, [1] * 200_000) | {"budget": 50}]

    answers = ask(folder, "verdicts", cases)

    assert [answer["isWhole"] for answer in answers] == [False, False]
    assert len(answers[1]["findings"]) <= 100
