"""The tools of the MCP server: what each takes, what it returns, and which question to the site it asks.

Both are JSON Schema 2020-12. Arguments come from programs: they are validated, and texts have a longest length.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jsonschema_rs

from devportal.contract import ABSENT
from devportal.contract.validate.validator import VALUE_PLACEHOLDER, insert_value
from devportal.docs.queries import QueryResult, SiteQueries
from devportal.docs.request_check import RequestParts
from devportal.errors import InvalidSettings
from devportal.integrators.changes_file import IMPACTS

MAX_TEXT = 2_000
"""How many characters a text has at most."""
MAX_ARGUMENTS = 1_000_000
"""How many characters all arguments have at most as JSON."""
MAX_NESTING = 100
"""How deep arguments are nested at most."""
MAX_PAGE = 40_000
"""How many characters of a page one result has at most."""

Arguments = Mapping[str, Any]
JsonSchema = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class McpTool:
    """A tool. `properties` are those of its arguments and of its result; the latter also has those of the proof."""

    name: str
    title: str
    description: str
    arguments: Mapping[str, JsonSchema]
    required: tuple[str, ...] = ()
    result: Mapping[str, JsonSchema]
    has_proof: bool = True
    answer: Callable[[SiteQueries, Arguments], QueryResult]

    @property
    def input_schema(self) -> JsonSchema:
        """Return the schema of the arguments."""
        return _object(self.arguments, self.required, is_open=False)

    @property
    def output_schema(self) -> JsonSchema:
        """Return the schema of the structured result."""
        members = {**self.result, **(_PROOF if self.has_proof else {})}
        return _object(members, tuple(members), is_open=True)


def _argument_names(tool: McpTool) -> str:
    """Return the names of the arguments of a tool, for a message."""
    return ", ".join(f"{name} (required)" if name in tool.required else name for name in tool.arguments)


def call_tool(tool: McpTool, queries: SiteQueries, arguments: Arguments) -> QueryResult:
    """Return the result of a tool. Raises PortalError, also for arguments that it does not take."""
    if _is_nested_deeper(arguments, MAX_NESTING):
        raise InvalidSettings(f"the arguments are nested deeper than {MAX_NESTING} levels")
    if len(json.dumps(arguments, ensure_ascii=False)) > MAX_ARGUMENTS:
        raise InvalidSettings(f"the arguments have more than {MAX_ARGUMENTS:,} characters")
    read = {name: _read_object(tool.arguments.get(name, {}), value) for name, value in arguments.items()}
    for error in _validator(tool.name).iter_errors(read):
        place = ".".join(map(str, error.instance_path))
        message = insert_value(error.message, error.instance)
        raise InvalidSettings(
            f"{place}: {message}" if place else message,
            help=f"see the schema of {tool.name}" if place else f"{tool.name} takes {_argument_names(tool)}",
        )
    return tool.answer(queries, read)


def _read_object(schema: JsonSchema, value: Any) -> Any:
    """Return an argument; of an object that a program wrote as a text, the object."""
    if schema.get("type") == "object" and isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _is_nested_deeper(value: Any, most: int) -> bool:
    level = [value]
    for _ in range(most + 1):
        level = [
            below
            for item in level
            if isinstance(item, (dict, list))
            for below in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return False
    return True


@lru_cache
def _validator(name: str) -> jsonschema_rs.Draft202012Validator:
    (tool,) = (tool for tool in TOOLS if tool.name == name)
    return jsonschema_rs.Draft202012Validator(tool.input_schema, mask=VALUE_PLACEHOLDER)


# ---- schemas ----


def _object(members: Mapping[str, JsonSchema], required: tuple[str, ...], *, is_open: bool) -> JsonSchema:
    return {
        "type": "object",
        "properties": dict(members),
        "required": list(required),
        **({} if is_open else {"additionalProperties": False}),
    }


def _text(description: str, **keywords: Any) -> JsonSchema:
    return {"type": "string", "maxLength": MAX_TEXT, "description": description, **keywords}


def _values(description: str) -> JsonSchema:
    return {"type": "object", "maxProperties": 200, "description": description}


def _list(description: str, **members: JsonSchema) -> JsonSchema:
    return {
        "type": "array",
        "items": _object(members, tuple(members), is_open=True),
        "description": description,
    }


_ANY_TEXT: JsonSchema = {"type": "string"}
_OPTIONAL_TEXT: JsonSchema = {"type": ["string", "null"]}
_FLAG: JsonSchema = {"type": "boolean"}
_TEXTS: JsonSchema = {"type": "array", "items": {"type": "string"}}
_OBJECTS: JsonSchema = {"type": "array", "items": {"type": "object"}}
_PROOF: Mapping[str, JsonSchema] = {
    "stability": {"type": ["string", "null"], "description": "stable, beta, alpha or draft."},
    "deprecated": {"type": ["boolean", "null"]},
    "since": {
        "type": ["string", "null"],
        "description": "The version that added it; next if none has it yet.",
    },
    "verified": _list(
        "The newest test of each deployment.", deployment=_ANY_TEXT, date=_ANY_TEXT, result=_ANY_TEXT
    ),
    "url": {"type": ["string", "null"], "description": "The page that says it."},
}
_API = {
    "api": _text(
        "The name of the API, if the documentation is of several and it is not clear which is meant."
    )
}
_OPERATION = "METHOD PATH such as POST /v1/orders, also with values in the path; or an operationId."


# ---- tools ----


def _search(queries: SiteQueries, arguments: Arguments) -> QueryResult:
    return queries.search(arguments["query"], most=arguments.get("limit", 10), api=arguments.get("api", ""))


def _read_page(queries: SiteQueries, arguments: Arguments) -> QueryResult:
    whole, start = queries.page(arguments["page"]), arguments.get("offset", 0)
    markdown, end = whole.data["markdown"], start + MAX_PAGE
    is_cut = end < len(markdown)
    data = {**whole.data, "markdown": markdown[start:end], "next_offset": end if is_cut else None}
    text = whole.text if start == 0 and not is_cut else f"<!-- {whole.data['url']} -->\n{data['markdown']}"
    note = f"\n\n[The page goes on: call read_page with offset {end}.]" if is_cut else ""
    return QueryResult(data=data, text=text + note)


def _changes(queries: SiteQueries, arguments: Arguments) -> QueryResult:
    result = queries.changes(
        since=arguments.get("since", ""),
        impacts=arguments.get("impacts", ()),
        operation=arguments.get("operation", ""),
        most=arguments.get("limit", 20),
        api=arguments.get("api", ""),
    )
    if arguments.get("details", False):
        return result
    changes = [
        {name: change[name] for name in change if name != "details"} for change in result.data["changes"]
    ]
    return QueryResult(data={**result.data, "changes": changes}, text=result.text)


def _check(queries: SiteQueries, arguments: Arguments) -> QueryResult:
    return queries.check(
        arguments["operation"],
        RequestParts(
            path=arguments.get("path_parameters", {}),
            query=arguments.get("query", {}),
            headers=arguments.get("headers", {}),
            cookies=arguments.get("cookies", {}),
            body=arguments.get("body", ABSENT),
            content_type=arguments.get("content_type", "") or _content_type(arguments.get("headers", {})),
        ),
        api_name=arguments.get("api", ""),
    )


def _content_type(headers: Mapping[str, Any]) -> str:
    return next((str(value) for name, value in headers.items() if name.lower() == "content-type"), "")


_PROBLEMS = {"place": _ANY_TEXT, "message": _ANY_TEXT}
TOOLS: tuple[McpTool, ...] = (
    McpTool(
        name="search_docs",
        title="Search the documentation",
        description="Search the documentation of the API: guides, operations, events, schemas, errors and fields. "
        "What is called exactly what you ask for comes first. Start here.",
        arguments={
            "query": _text("Words, an operationId, a path or the name of a field.", minLength=1),
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
            "api": _text("Only results of the API of this name, if the documentation is of several."),
        },
        required=("query",),
        result={
            "query": _ANY_TEXT,
            "results": _list(
                "The best first.",
                kind=_ANY_TEXT,
                title=_ANY_TEXT,
                name=_OPTIONAL_TEXT,
                excerpt=_ANY_TEXT,
                **_PROOF,
            ),
        },
        has_proof=False,
        answer=_search,
    ),
    McpTool(
        name="read_page",
        title="Read a page",
        description="Read a page of the documentation as Markdown, such as a guide that search_docs found.",
        arguments={
            "page": _text(
                "The url of a result, a path such as guides/start/, or an operationId.", minLength=1
            ),
            "offset": {
                "type": "integer",
                "minimum": 0,
                "default": 0,
                "description": "For the rest of a long page.",
            },
        },
        required=("page",),
        result={
            "uri": _ANY_TEXT,
            "markdown": _ANY_TEXT,
            "next_offset": {"type": ["integer", "null"], "description": "Null at the end of the page."},
        },
        answer=_read_page,
    ),
    McpTool(
        name="get_operation",
        title="Describe an operation",
        description="All that a call of an operation needs: credentials and scopes, parameters, fields of the body "
        "with their rules, responses, errors, callbacks and a sample. Also the payload of an event.",
        arguments={"operation": _text(f"{_OPERATION} Or the name of an event.", minLength=1), **_API},
        required=("operation",),
        result={
            "name": _ANY_TEXT,
            "operation_id": _OPTIONAL_TEXT,
            "is_event": _FLAG,
            "title": _ANY_TEXT,
            "description": _ANY_TEXT,
            "servers": _TEXTS,
            "server_templates": {
                **_OBJECTS,
                "description": "The same servers with their variables and the values of these.",
            },
            "auth": {
                "type": "array",
                "items": _OBJECTS,
                "description": "Alternatives, each with what goes together.",
            },
            "scopes": _TEXTS,
            "parameters": _OBJECTS,
            "values_from": {
                **_OBJECTS,
                "description": "Where required inputs come from: operation, and member or header of its response.",
            },
            "body": {"type": ["object", "null"]},
            "responses": _OBJECTS,
            "callbacks": {**_OBJECTS, "description": "Requests that the provider sends because of a call."},
            "sample": _OPTIONAL_TEXT,
        },
        answer=lambda queries, arguments: queries.operation(
            arguments["operation"], api=arguments.get("api", "")
        ),
    ),
    McpTool(
        name="get_schema",
        title="Describe a schema",
        description="The fields of a shared schema with their rules, and the operations and events that use it.",
        arguments={"name": _text("The name of the schema in the contract.", minLength=1), **_API},
        required=("name",),
        result={
            "name": _ANY_TEXT,
            "type": _ANY_TEXT,
            "description": _ANY_TEXT,
            "rules": _TEXTS,
            "values": _TEXTS,
            "fields": _OBJECTS,
            "is_cut": _FLAG,
            "used_by": _TEXTS,
        },
        answer=lambda queries, arguments: queries.schema(arguments["name"], api=arguments.get("api", "")),
    ),
    McpTool(
        name="list_changes",
        title="List the changes of the API",
        description="The changes of the API, the newest first: what changed, whom it affects, what to do and by when.",
        arguments={
            "since": _text("Only changes after this version, or from this day (2026-01-31) on."),
            "impacts": {
                "type": "array",
                "items": {"enum": list(IMPACTS)},
                "maxItems": len(IMPACTS),
                "description": "Only these impacts.",
            },
            "operation": _text("Only changes that affect this operation or event."),
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
            "details": {**_FLAG, "default": False, "description": "Also each change of the contract."},
            **_API,
        },
        result={
            "version": _OPTIONAL_TEXT,
            "changes": _list(
                "The newest first.",
                id=_ANY_TEXT,
                title=_ANY_TEXT,
                summary=_ANY_TEXT,
                what_to_do=_ANY_TEXT,
                since=_OPTIONAL_TEXT,
                severity=_ANY_TEXT,
                url=_ANY_TEXT,
                operations=_list("Those that it affects.", name=_ANY_TEXT, exists=_FLAG, **_PROOF),
            ),
        },
        has_proof=False,
        answer=_changes,
    ),
    McpTool(
        name="check_request",
        title="Check a request",
        description="Check a request against the contract before it is sent: says whether it is valid, and what is "
        "wrong at which place, such as body.items[0].price. Nothing is sent. Leave credentials out.",
        arguments={
            "operation": _text(f"{_OPERATION} A path may have a query, and be an address.", minLength=1),
            "path_parameters": _values("Values of the parameters of the path by name."),
            "query": _values("Values of the query by name; an array for what is repeated."),
            "headers": _values("Headers by name."),
            "cookies": _values("Cookies by name."),
            "body": {
                "description": "The body as JSON; the fields of a form as an object. Leave it out for none."
            },
            "content_type": _text(
                "The media type of the body. Default: JSON, or the first one of the operation."
            ),
            **_API,
        },
        required=("operation",),
        result={
            "operation": _ANY_TEXT,
            "valid": _FLAG,
            "problems": _list("What the contract does not allow.", **_PROBLEMS),
            "warnings": _list("What the contract allows but does not know: likely misspelt.", **_PROBLEMS),
            "content_type": _OPTIONAL_TEXT,
            "auth": {
                "type": "array",
                "items": _OBJECTS,
                "description": "The credentials that it needs besides.",
            },
            "scopes": _TEXTS,
        },
        answer=_check,
    ),
)
"""The tools in their order."""
