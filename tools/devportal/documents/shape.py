"""The shape of hand-written files: a JSON Schema of ours, and its violations as findings.

The descriptions in the schema are the help texts: they say what a field is or how to write it. No message shows a
value below `x-secret: true`: somebody may have written a secret there, in place of the name of its variable.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema_rs import Draft202012Validator, ValidationError, ValidationErrorKind

from devportal.documents.document import Document
from devportal.documents.pointer import Pointer, child, parse_pointer
from devportal.findings import Finding, Level
from devportal.suggestions import closest_name

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
}
MAX_QUOTED = 60
"""How many characters of a value a message has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeProblem:
    """One violation of a shape: the node, and the finding."""

    pointer: Pointer
    finding: Finding


class Shape:
    """A JSON Schema (2020-12) for documents of one kind; `root` is the name of their top level."""

    def __init__(self, schema: Mapping[str, Any], *, rule: str, root: str) -> None:
        """Take the schema, the rule that findings name, and the name of a document's top level."""
        self._schema = schema
        self._validator = Draft202012Validator(dict(schema), validate_formats=True)
        self._rule = rule
        self._root = root

    def misfits(self, document: Document) -> Iterator[ShapeProblem]:
        """Yield every violation of the schema by a document."""
        for error in self._validator.iter_errors(document.data):
            base = child((), *error.instance_path)
            for pointer, message, help_text in self._explain_error(base, error):
                finding = Finding(
                    rule=self._rule,
                    level=Level.ERROR,
                    place=document.place(pointer),
                    message=message,
                    help=help_text,
                )
                yield ShapeProblem(pointer=pointer, finding=finding)

    def _explain_error(self, base: Pointer, error: ValidationError) -> Iterator[tuple[Pointer, str, str]]:
        """Yield pointer, message and help for each problem in one error of the validator."""
        name = f"`{'.'.join(base)}`" if base else self._root
        node, description, is_secret = self._node(error)
        properties: Mapping[str, Any] = node.get("properties", {})
        match error.kind:
            case ValidationErrorKind.AdditionalProperties(unexpected):
                for key in unexpected:
                    yield (
                        (*base, key),
                        f"the field {key!r} is not known here",
                        _suggestion(key, properties),
                    )
            case ValidationErrorKind.Required(missing):
                member = properties.get(missing, {})
                about = member.get("description", "")
                field = f"{missing}: {member['const']}" if "const" in member else missing
                yield (
                    base,
                    f"the field {missing!r} is missing",
                    f"add `{field}`: {about}" if about else description,
                )
            case ValidationErrorKind.PropertyNames(name_error):
                key = str(name_error.instance)
                yield (*base, key), f"the name {_quote_value(key)} does not fit", description
            case _:
                yield (
                    base,
                    f"{name} {_hidden_message(error, node) if is_secret else _problem_message(error, node)}",
                    f"{name}: {description}{_allowed_values(error.kind, node, description)}"
                    if description
                    else "",
                )

    def _node(self, error: ValidationError) -> tuple[Mapping[str, Any], str, bool]:
        """Return the schema that contains the keyword of the error, the last description on the path to it, and whether
        the value may be a secret.
        """
        node: Any = self._schema
        description, is_secret = str(node.get("description", "")), False
        for token in error.evaluation_path[:-1]:
            # the path below `propertyNames` starts at the root
            if isinstance(node, dict) and token not in node:
                node = self._schema
            node = self._resolve_reference(node[token]) if token == "$ref" else node[token]
            if isinstance(node, dict) and isinstance(node.get("description"), str):
                description = node["description"]
            is_secret = is_secret or (isinstance(node, dict) and node.get("x-secret") is True)
        return node, description, is_secret

    def _resolve_reference(self, reference: str) -> Any:
        node: Any = self._schema
        for token in parse_pointer(reference):
            node = node[token]
        return node


def _suggestion(key: str, names: Mapping[str, Any]) -> str:
    """Return the name that was likely meant, or all names that there are."""
    if meant := closest_name(key, names):
        return f"did you mean `{meant}`?"
    return f"the fields here are {', '.join(f'`{name}`' for name in names)}" if names else "remove it"


def _allowed_values(kind: ValidationErrorKind, node: Mapping[str, Any], description: str) -> str:
    """Return the values of an enum, or the fields that a mapping must have, for the end of a help; empty if its
    description has them, and for other keywords.
    """
    match kind:
        case ValidationErrorKind.Type() if node.get("required") and "`" not in description:
            fields = ", ".join(f"`{name}`" for name in node["required"])
            return f" It needs {fields}." if description.endswith(".") else f"; it needs {fields}"
        case ValidationErrorKind.Enum(options) if any(str(value) not in description for value in options):
            values = ", ".join(_quote_value(value) for value in options)
            return f" One of {values}." if description.endswith(".") else f", one of {values}"
        case _:
            return ""


def _problem_message(error: ValidationError, node: Mapping[str, Any]) -> str:
    """Return the problem of a value, with the value quoted."""
    value = error.instance
    match error.kind:
        case kind if value == "" or (value == [] and isinstance(kind, ValidationErrorKind.MinItems)):
            return "is empty"
        case ValidationErrorKind.Type():
            return f"is {_quote_value(value)}, not {_type_words(node)}"
        case ValidationErrorKind.Enum():
            return f"is {_quote_value(value)}, which is none of its values"
        case ValidationErrorKind.Constant(expected):
            return f"is {_quote_value(value)}, not {_quote_value(expected)}"
        case ValidationErrorKind.Format():
            return f"is {_quote_value(value)}, which is not a valid {node['format']}"
        case ValidationErrorKind.MinItems(limit):
            return f"has too few items: it needs at least {limit}"
        case ValidationErrorKind.MinLength(limit):
            return f"is {_quote_value(value)}, which is shorter than {limit} characters"
        case ValidationErrorKind.MaxLength(limit):
            return f"has {len(str(value)):,} characters, more than {limit:,}"
        case ValidationErrorKind.UniqueItems():
            return f"says something twice: {_quote_value(value)}"
        case _:
            return f"is {_quote_value(value)}, which does not fit"


def _type_words(node: Mapping[str, Any]) -> str:
    """Return what a value has to be, by the type or the types of its schema."""
    types = node["type"]
    return " or ".join(_TYPES[name] for name in ([types] if isinstance(types, str) else types))


def _hidden_message(error: ValidationError, node: Mapping[str, Any]) -> str:
    """Return the problem of a value without the value."""
    match error.kind:
        case ValidationErrorKind.Type():
            return f"is not {_type_words(node)} (the value is not shown: it may be a secret)"
        case _:
            return "does not fit (the value is not shown: it may be a secret)"


def _quote_value(value: object) -> str:
    """Return a value as its author knows it, cut at `MAX_QUOTED` characters; the quotes of a text are closed."""
    if value is None:
        return "empty"
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    if len(text) <= MAX_QUOTED:
        return text
    return (
        f"{value[: MAX_QUOTED - 3]!r}"[:-1] + "…'" if isinstance(value, str) else f"{text[: MAX_QUOTED - 1]}…"
    )
