"""Turns languages into JavaScript modules for the console: their styles as data, their programs as functions.

Programs may use the part of Jinja that is translated here; anything else raises `TypeError`. An empty list is true in
JavaScript, so a condition asks for its `length`. Names become camel case, except where the console has its own.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from jinja2 import nodes

from devportal.reference.samples.language import Language
from devportal.reference.samples.literals import TextStyle

_NAMES = {"has_certificate": "certificate", "media_type": "type"}


@lru_cache(maxsize=1)
def language_modules(languages: tuple[Language, ...]) -> Mapping[str, str]:
    """Return the source of a module for each language by its name, and of `labels`, which has all labels.

    Those of the last languages are kept: a served portal asks for the same after each edit.
    """
    labels = {language.name: language.label for language in languages}
    return {"labels": f"export default {_object(labels)};\n"} | {
        language.name: _module(language) for language in languages
    }


def _module(language: Language) -> str:
    literals = language.literals
    texts = literals.text_styles
    styles: dict[str, Any] = {
        "texts": {name: [_text_style(style) for style in styles] for name, styles in texts.items()},
        "words": [_changed_fields(words_style) for words_style in literals.words_styles],
    }
    if language.comment != "//":
        styles["comment"] = language.comment
    if literals.value_style is not None:
        styles["value"] = _changed_fields(literals.value_style)
    if literals.largest_integer is not None:
        styles["largest"] = str(literals.largest_integer)  # more digits than a number of JavaScript
    if literals.value_style is not None or any(
        text_style.hidden for named in texts.values() for text_style in named
    ):
        styles["isProgram"] = True  # the console needs more for it than for a shell command
    program = f"(f,{{request,body,kind}})=>{_function_body(language.parse_program().body)}"
    return f"export const styles={_object(styles)},program={program};\n"


def _text_style(style: TextStyle) -> dict[str, Any]:
    made = _changed_fields(style) | ({"escaped": style.escaped} if style.escapes or style.hidden else {})
    made.pop("hiddenIn", None)
    return made


def _changed_fields(style: Any) -> dict[str, Any]:
    """Return the fields of a style that differ from their defaults."""
    given = ((field.name, getattr(style, field.name), field.default) for field in fields(style))
    return {_camel_case(name): value for name, value, default in given if value not in (default, {})}


def _object(value: Any) -> str:
    """Return a JavaScript object, with quotes around a name only where it needs them."""
    return re.sub(r'"([A-Za-z]\w*)":', r"\1:", _json(value))


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _camel_case(name: str) -> str:
    return _NAMES.get(name) or re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def _function_body(body: list[nodes.Node]) -> str:
    """Return the body of an arrow function: an expression, or statements that collect the output in `o`."""
    match body:
        case [nodes.Output() as node]:
            return _output(node)
    names = ",".join(['o=""', *_assigned_names(body)])
    return f"{{let {names};{_statements(body)}return o}}"


def _output(node: nodes.Output) -> str:
    return "+".join(map(_expression, node.nodes))


def _assigned_names(body: Iterable[nodes.Node]) -> list[str]:
    """Return the names that are assigned in a block, each once."""
    names: dict[str, None] = {}
    for node in body:
        match node:
            case nodes.Assign(target=nodes.Name(name=name)) | nodes.AssignBlock(target=nodes.Name(name=name)):
                names[name] = None
            case nodes.If():
                for branch in (node.body, node.elif_, node.else_):
                    names |= dict.fromkeys(_assigned_names(branch))
    return [*names]


def _statements(body: Iterable[nodes.Node]) -> str:
    return "".join(map(_statement, body))


def _block(body: Iterable[nodes.Node]) -> str:
    return f"{{{_statements(body).removesuffix(';')}}}"


def _statement(node: nodes.Node) -> str:
    match node:
        case nodes.Output():
            return f"o+={_output(node)};"
        case nodes.Assign(target=nodes.Name(name=name)):
            return f"{name}={_bare_expression(node.node)};"
        case nodes.AssignBlock(target=nodes.Name(name=name), filter=None):
            return f"{name}=(()=>{_function_body(node.body)})();"
        case nodes.If():
            branches = [
                f"if({_bare_expression(item.test)}){_block(item.body)}" for item in (node, *node.elif_)
            ]
            otherwise = f"else{_block(node.else_)}" if node.else_ else ""
            return "else ".join(branches) + otherwise
        case nodes.For(else_=[], test=None, recursive=False):
            body = _function_body(node.body)
            loop = ",loop" if "loop." in body else ""
            return f"o+=f.each({_expression(node.iter)},({_expression(node.target)}{loop})=>{body});"
    raise TypeError(f"no JavaScript for {node}")


def _bare_expression(node: nodes.Node) -> str:
    """Return an expression that stands alone, without parentheses around it."""
    made = _expression(node)
    return made[1:-1] if isinstance(node, nodes.Concat | nodes.CondExpr | nodes.And | nodes.Or) else made


def _expression(node: nodes.Node) -> str:
    match node:
        case nodes.TemplateData(data=value) | nodes.Const(value=value):
            return _json(value)
        case nodes.Name(name=name):
            return str(name)
        case nodes.Getattr(node=of, attr=name):
            return f"{_expression(of)}.{_camel_case(name)}"
        case nodes.List(items=items) | nodes.Tuple(items=items):
            return f"[{','.join(map(_expression, items))}]"
        case nodes.Filter(node=nodes.Node() as given, name=name, args=more, kwargs=[]):
            return f"f.{_camel_case(name)}({','.join(map(_bare_expression, [given, *more]))})"
        case nodes.Test(node=given, name=name, args=[], kwargs=[]):
            return f"f.{_camel_case(f'is_{name}')}({_expression(given)})"
        case nodes.Concat(nodes=items):
            return f"({'+'.join(map(_expression, items))})"
        case nodes.CondExpr(test=test, expr1=then, expr2=nodes.Node() as otherwise):
            return f"({_expression(test)}?{_expression(then)}:{_expression(otherwise)})"
        case _:
            return _boolean_expression(node)


def _boolean_expression(node: nodes.Node) -> str:
    match node:
        case nodes.Not(node=given):
            return f"!({_expression(given)})"
        case nodes.And(left=left, right=right):
            return f"({_expression(left)}&&{_expression(right)})"
        case nodes.Or(left=left, right=right):
            return f"({_expression(left)}||{_expression(right)})"
        case nodes.Compare(expr=left, ops=[nodes.Operand(op="in" | "notin" as name, expr=right)]):
            return f"{'!' if name == 'notin' else ''}{_expression(right)}.includes({_expression(left)})"
        case nodes.Compare(expr=left, ops=[nodes.Operand(op=name, expr=right)]) if name in _OPERATORS:
            return f"{_expression(left)}{_OPERATORS[name]}{_expression(right)}"
    raise TypeError(f"no JavaScript for {node}")


_OPERATORS = {"eq": "===", "ne": "!==", "lt": "<"}
