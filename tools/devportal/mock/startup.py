"""What a mock says when it starts: what it understood, what it answers with examples only, and how to call it."""

from collections.abc import Iterator, Sequence
from urllib.parse import quote, urlencode

from devportal.conformance.knowledge.response_check import documented_response
from devportal.contract import Api, Operation, ParameterLocation, SecurityScheme
from devportal.contract.authorization_scheme import described_authorization_scheme
from devportal.contract.body_schemas import success_schema
from devportal.contract.media_types import is_json, is_xml, is_yaml, media_type_essence
from devportal.contract.path_templates import action_name
from devportal.contract.validate.validator import ValidationIssue
from devportal.contract.wire_format.request_check import BODY, value_steps
from devportal.contract.wire_format.tables import is_table
from devportal.mock.events.delivery_writer import signature_header_names
from devportal.mock.http.credentials import Grant, credential_text, is_checked
from devportal.mock.http.representation import Representations
from devportal.mock.http.requests import FORM, INVALID, MULTIPART
from devportal.mock.http.responses import refusal_status
from devportal.mock.http.routing import required_constants
from devportal.mock.operations.handlers import NOT_FOUND
from devportal.mock.resources.plan import Plan, ResourceType, Role
from devportal.reference.samples.parameter_values import example_path

_LONGEST_REASON = 200
_ROLE_WORDS = {
    Role.LIST: "list",
    Role.CREATE: "create",
    Role.CREATE_MANY: "create many",
    Role.DELETE_MANY: "delete many",
    Role.CHANGE_MATCHING: "change matching",
    Role.DELETE_MATCHING: "delete matching",
    Role.READ: "read",
    Role.REPLACE: "replace",
    Role.UPDATE: "update",
    Role.DELETE: "delete",
    Role.ACTION: "act",
}


def resource_lines(plan: Plan) -> Iterator[str]:
    """Yield a line for each type of resource: its path, and what can be done with it."""
    for kind in plan.types:
        roles = [assignment for assignment in plan.assignments.values() if assignment.type is kind]
        words = [
            word for role, word in _ROLE_WORDS.items() if any(assignment.role is role for assignment in roles)
        ]
        actions = [action_name(role.operation.path) for role in roles if role.role is Role.ACTION]
        text = ", ".join(word for word in words if word != "act")
        text += f", actions: {', '.join(dict.fromkeys(actions))}" if actions else ""
        if text:
            yield f"  {kind.label}: {text}{_state_words(kind)}"


def _state_words(kind: ResourceType) -> str:
    if kind.job_states:
        return f" ({kind.state!r} goes from {' to '.join(kind.job_states)} by itself)"
    return f" (states of {kind.state!r} follow x-state-machine)" if kind.machine is not None else ""


def limit_lines(plan: Plan) -> Iterator[str]:
    """Yield a line for each operation that the mock does not understand, or not wholly."""
    for assignment in plan.assignments.values():
        reasons = list(
            _limits(assignment.operation, assignment.role, has_parameters="{" in assignment.operation.path)
        )
        if reasons:
            yield f"  {assignment.operation.method} {assignment.operation.path}: {'; '.join(reasons)}"


def schema_lines(plan: Plan, representations: Representations) -> Iterator[str]:
    """Yield a line for each type of resource, and each operation that answers with an example, of whose schema no
    valid value is known, with what is in the way.
    """
    examples = [
        assignment.operation for assignment in plan.assignments.values() if assignment.role is Role.EXAMPLE
    ]
    shown = [
        *((kind.label, kind.schema) for kind in plan.types),
        *((f"{example.method} {example.path}", success_schema(example)) for example in examples),
    ]
    for label, schema in shown:
        issue = representations.first_violation(schema, representations.sample(schema)) if schema else None
        if issue is not None:
            is_joined = not issue.pointer and schema is not None and bool(plan.api.resolve(schema).all_of)
            reason = _contradiction(issue, is_joined=is_joined)
            yield f"  {label}: no value was found that its schema allows, so responses may break it: {reason}"


def _contradiction(issue: ValidationIssue, *, is_joined: bool) -> str:
    """Return why a schema allows no value, as the best attempt shows it. One that is joined is an `allOf`."""
    is_closed = issue.keyword in ("additionalProperties", "unevaluatedProperties")
    if is_closed and (is_joined or "allOf" in issue.path):
        return f"a branch of allOf forbids members of another ({issue.keyword}: false)"
    where = f"{BODY}{value_steps(None, issue.pointer)}: " if issue.pointer else ""
    return f"{where}{issue.message}"[:_LONGEST_REASON]


def _limits(operation: Operation, role: Role, *, has_parameters: bool) -> Iterator[str]:
    if role is Role.EXAMPLE:
        yield "answers with an example: nothing says which resource it belongs to"
    status = refusal_status(operation, NOT_FOUND)
    is_creation = role is Role.REPLACE and any(response.status == "201" for response in operation.responses)
    if role is not Role.EXAMPLE and has_parameters and status not in NOT_FOUND and not is_creation:
        yield f"documents no 404: what does not exist gets {status}"
    content = operation.request_content
    invalid = refusal_status(operation, INVALID)
    if content and invalid not in INVALID:
        yield f"documents no 400 or 422: an invalid body gets {invalid}"
    unread = [media_type.name for media_type in content if not _is_read(media_type.name)]
    if unread:
        yield f"bodies in {', '.join(unread)} are accepted without validation"
    if not operation.successes and not any(
        response.status.lower() == "default" for response in operation.responses
    ):
        yield "documents no success: a success gets 200 and no body"
    yield from _ignored_hint(operation)


def _ignored_hint(operation: Operation) -> Iterator[str]:
    """Yield what `x-mock` asks for in vain."""
    hint = operation.mock_hint
    if hint is None:
        return
    asked = documented_response(operation, int(hint.code)) if hint.code.isdecimal() else None
    examples = (
        example
        for response in ((asked,) if asked is not None else operation.responses)
        for media_type in response.content
        for example in media_type.examples
    )
    if hint.code and asked is None:
        yield f"x-mock is ignored: the operation documents no status {hint.code}"
    elif hint.example and not any(example.name == hint.example and example.has_value for example in examples):
        yield f"x-mock is ignored: no response has an example {hint.example!r} with a value"


def _is_read(media_type: str) -> bool:
    essence = media_type_essence(media_type)
    is_described = is_json(essence) or is_xml(essence) or is_yaml(essence)
    is_text = essence.startswith("text/") and not is_table(essence)
    return is_described or essence in (FORM, MULTIPART) or is_text


def scheme_lines(api: Api, grants: Sequence[Grant]) -> Iterator[str]:
    """Yield how each security scheme of a contract is met."""
    token = grants[0].token if grants else ""
    for security_scheme in api.security_schemes:
        if not is_checked(security_scheme):
            yield f"  {security_scheme.name}: not checked (a client certificate does not reach the mock)"
        elif security_scheme.kind == "apiKey":
            key = f"{_word_before_key(security_scheme)}{token}"
            yield f"  {security_scheme.name}: {security_scheme.carrier} {security_scheme.parameter}={key}"
        elif security_scheme.kind == "http" and security_scheme.scheme.lower() == "basic":
            yield f"  {security_scheme.name}: HTTP Basic, {credential_text(security_scheme, token)}"
        else:
            yield f"  {security_scheme.name}: Authorization: {_authorization_word(security_scheme)} {token}"


def signature_lines(api: Api, secret: str) -> Iterator[str]:
    """Yield the headers that sign webhooks and callbacks, with the secret of receivers that have no other."""
    for name in signature_header_names(api):
        yield f"  {name}: signed with {secret}, if the receiver has no other secret"


def _word_before_key(scheme: SecurityScheme) -> str:
    word = described_authorization_scheme(scheme)
    return f"{word} " if word else ""


def _authorization_word(scheme: SecurityScheme) -> str:
    """Return the word before the token in the header Authorization."""
    word = scheme.scheme if scheme.kind == "http" and scheme.scheme else "Bearer"
    return f"{word[:1].upper()}{word[1:]}"


def _effort_to_call(operation: Operation) -> tuple[bool, bool]:
    return operation.method != "GET", "{" in operation.path


def sample_call(api: Api, url: str, base_path: str, grants: Sequence[Grant]) -> str:
    """Return a command that calls an operation of the mock, the simplest one, with all credentials that it needs."""
    operation = min(api.operations, key=_effort_to_call, default=None)
    if operation is None:
        return ""
    names = [use.scheme for use in operation.security[0]] if operation.security and grants else []
    schemes = [scheme for scheme in api.security_schemes if scheme.name in names and is_checked(scheme)]
    options = dict.fromkeys(_credential_option(scheme, grants[0].token) for scheme in schemes)
    pairs = [(scheme.parameter, grants[0].token) for scheme in schemes if _is_in_query(scheme)]
    for location, name, text in required_constants(api, operation):
        if location is ParameterLocation.HEADER:
            options[f" -H '{name}: {text}'"] = None
        else:
            pairs.append((name, text))
    query = urlencode(pairs, quote_via=quote)
    method = f" -X {operation.method}" if operation.method != "GET" else ""
    address = f"{url}{base_path}{example_path(api, operation)}"
    if query:
        address += f"{'&' if '?' in address else '?'}{query}"
    target = f"'{address}'" if "?" in address else address
    return f"curl{method}{''.join(options)} {target}"


def _is_in_query(scheme: SecurityScheme) -> bool:
    return scheme.kind == "apiKey" and scheme.carrier == "query"


def _credential_option(scheme: SecurityScheme, token: str) -> str:
    """Return the option of curl with a credential; empty for one that is in the query."""
    if scheme.kind == "apiKey":
        carriers = {
            "cookie": f" -b '{scheme.parameter}={token}'",
            "header": f" -H '{scheme.parameter}: {_word_before_key(scheme)}{token}'",
        }
        return carriers.get(scheme.carrier, "")
    if scheme.kind == "http" and scheme.scheme.lower() == "basic":
        return f" -u {credential_text(scheme, token)}"
    return f" -H 'Authorization: {_authorization_word(scheme)} {token}'"
