"""A mock of one contract: state and request in, response and changes of the state out. Nothing here reads a clock, a
file or the network.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from devportal.conformance.knowledge.response_check import documented_response
from devportal.contract import ABSENT, Api, Operation, ParameterLocation
from devportal.contract.conventions import matches_any_name
from devportal.contract.idempotency_keys import idempotency_parameter
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.mock.http.credentials import Gate, Grant
from devportal.mock.http.exchange import MockRequest, MockResponse, Moment, Refused
from devportal.mock.http.negotiation import read_preferences
from devportal.mock.http.ranges import requested_part
from devportal.mock.http.representation import Representations
from devportal.mock.http.requests import RequestReader
from devportal.mock.http.responses import Content, ResponseWriter, status_number, success_of
from devportal.mock.http.routing import RouteMatch, Router, main_base_path
from devportal.mock.json_values import write_json
from devportal.mock.operations.automatic_steps import AutomaticSteps
from devportal.mock.operations.call import Call
from devportal.mock.operations.handlers import Handlers, not_found
from devportal.mock.operations.issued_tokens import IssuedTokens
from devportal.mock.operations.outcome import Outcome
from devportal.mock.operations.record_views import RecordViews
from devportal.mock.operations.records import Records
from devportal.mock.operations.sample_addresses import with_sample_addresses
from devportal.mock.resources.identifiers import new_identifier
from devportal.mock.resources.plain_paths import plain_path
from devportal.mock.resources.plan import Plan, ResourceType, Role
from devportal.mock.resources.resource_states import state_rules
from devportal.mock.resources.store import KeptResult, State

_STATUS = re.compile(r"[2-5]\d\d")
"""What `x-mock` can ask for."""


class Mock:
    """A mock of one contract."""

    def __init__(
        self, plan: Plan, validator: Validator, *, seed: int = 1, grants: Sequence[Grant] = ()
    ) -> None:
        """Take what its operations do, what validates values, the seed of identifiers, and the tokens."""
        self.plan = plan
        self._api: Api = plan.api
        self.representations = Representations(plan.api, validator)
        self._reader = RequestReader(plan.api, validator)
        self.writer = ResponseWriter(plan.api, validator, plan.conventions, self.representations)
        self._router = Router(plan.api)
        self._gate = Gate(plan.api, tuple(grants))
        self._rules = state_rules(plan)
        tokens = IssuedTokens(plan.api, self.representations, tuple(grants))
        self.records = Records(plan, self.representations, self._reader, self._rules, tokens, seed)
        self.steps = AutomaticSteps(plan, self.records, self._rules)
        views = RecordViews(plan, self.representations, self.writer, main_base_path(plan.api))
        self._handlers = Handlers(
            plan, self.records, self._rules, views, self.representations, self.writer, tokens
        )

    def states_of(self, kind: ResourceType) -> tuple[str, ...]:
        """Return the states of the resources of a type, none if it has no state."""
        return self._rules[kind.path].states

    def respond(self, request: MockRequest, state: State, moment: Moment) -> Outcome:
        """Return what a request leads to."""
        found = self._router.match(request)
        if found is None:
            missing = Refused(404, detail=f"The contract has no path that fits {request.path[:200]}.")
            return Outcome(response=self.writer.refuse(None, missing, request))
        method = request.method
        operation = found.operations.get(method)
        read = found.operations.get("GET")
        if method == "HEAD" and read is not None:
            outcome = self._respond(read, found, request, state, moment)
            if operation is None or documented_response(operation, outcome.response.status) is not None:
                return replace(outcome, response=_without_content(outcome.response))
        if operation is None:
            return Outcome(response=self._without_operation(found, request, moment))
        return self._respond(operation, found, request, state, moment)

    def _without_operation(self, found: RouteMatch, request: MockRequest, moment: Moment) -> MockResponse:
        allow = ", ".join(found.route.allowed)
        if request.method == "OPTIONS":
            return MockResponse(status=204, headers=(("Allow", allow),))
        refused = Refused(
            405,
            detail=f"{found.route.template} has {allow}, not {request.method[:20]}.",
            headers=(("Allow", allow),),
        )
        any_operation = next(iter(found.route.operations.values()))
        documents = documented_response(any_operation, 405) is not None
        if not documents:
            return self.writer.refuse(None, refused, request)
        headers = self._correlation_headers(any_operation, request, moment)
        return self.writer.refuse(any_operation, refused, request, **headers)

    def _respond(
        self, operation: Operation, found: RouteMatch, request: MockRequest, state: State, moment: Moment
    ) -> Outcome:
        headers = self._correlation_headers(operation, request, moment)
        try:
            return self._check_and_respond(operation, found, request, state, moment, headers)
        except Refused as refused:
            return Outcome(response=self.writer.refuse(operation, refused, request, **headers))

    def _check_and_respond(
        self,
        operation: Operation,
        found: RouteMatch,
        request: MockRequest,
        state: State,
        moment: Moment,
        headers: dict[str, str],
    ) -> Outcome:
        token = self._gate.check(operation, request)
        forced = self._forced_response(operation, request, headers)
        if forced is not None:
            return Outcome(response=forced)
        self._refuse_unacceptable(operation, request)
        assignment = self.plan.assignment(operation)
        # PostgREST describes the body of such a change as that of a creation, with all that is required.
        is_partial = assignment.role is Role.CHANGE_MATCHING
        read = self._reader.read(operation, request, found.values, is_partial=is_partial)
        call = Call(
            assignment=assignment,
            request=request,
            read=read,
            values=found.values,
            state=state,
            moment=moment,
            headers=headers,
        )
        call = with_sample_addresses(self._api, call, self.records)
        self._require_ancestors(call)
        outcome = self._idempotent(call, token)
        return replace(outcome, response=requested_part(operation, request, outcome.response))

    def _forced_response(
        self, operation: Operation, request: MockRequest, headers: Mapping[str, str]
    ) -> MockResponse | None:
        """Return the response that a client prefers (RFC 7240), or that the contract says (`x-mock`), None if there
        is none such.
        """
        asked = read_preferences(request.header("prefer"), request.query_pairs)
        if asked.code is not None or asked.example:
            response = self._preferred_response(operation, request, asked.code, asked.example, headers)
            return response.with_header("Preference-Applied", asked.applied) if response is not None else None
        hint = operation.mock_hint
        if hint is None:
            return None
        code = int(hint.code) if _STATUS.fullmatch(hint.code) else None
        return self._preferred_response(operation, request, code, hint.example, headers)

    def _preferred_response(
        self,
        operation: Operation,
        request: MockRequest,
        code: int | None,
        example: str,
        headers: Mapping[str, str],
    ) -> MockResponse | None:
        """Return the documented response that a client asks for, None if the contract has none such."""
        if code is not None:
            response = documented_response(operation, code)
            status = code
        else:
            having = (
                response for response in operation.responses if example in self.writer.example_names(response)
            )
            response = next(having, None)
            status = status_number(response)
        if response is None or (example and example not in self.writer.example_names(response)):
            return None
        if status >= 400 and not self.writer.example_names(response):
            refused = Refused(status, detail="The client prefers this response.")
            return self.writer.refuse(operation, refused, request, **headers)
        content = Content(headers=headers, example=example)
        return self.writer.write(operation, response, status, request, content)

    def _refuse_unacceptable(self, operation: Operation, request: MockRequest) -> None:
        """Raise Refused (406) before anything is done, if the response to a success would be."""
        if request.header("accept") and documented_response(operation, 406) is not None:
            response = success_of(operation)
            if response is not None and response.content:
                self.writer.write(operation, response, status_number(response), request, Content(known={}))

    def _correlation_headers(
        self, operation: Operation, request: MockRequest, moment: Moment
    ) -> dict[str, str]:
        """Return identifiers of this exchange for the headers that the contract documents."""
        names = self.plan.conventions.correlation
        documented = {
            header.name.lower(): header
            for response in operation.responses
            for header in response.headers
            if matches_any_name(header.name, names)
        }
        taken = {
            parameter.name.lower(): parameter
            for parameter in operation.parameters
            if parameter.location_in is ParameterLocation.HEADER and matches_any_name(parameter.name, names)
        }
        found: dict[str, str] = {}
        for lower, header in documented.items():
            given = request.header(lower)
            schema = taken[lower].schema if lower in taken else None
            is_allowed = schema is None or (
                given is not None and self.representations.is_valid(schema, given, Direction.REQUEST)
            )
            if lower in taken and given and is_allowed and given.isprintable() and given.isascii():
                found[lower] = given
                continue
            schemas = [self._api.resolve(header.schema)] if header.schema is not None else []
            sample = (
                self.representations.sample(header.schema)
                if header.schema is not None
                else "req_0a1b2c3d4e5f"
            )
            draw = self.records.identifiers.random(moment, lower)
            new = new_identifier(
                schemas, sample, moment.serial, draw, partial(self.representations.is_valid, header.schema)
            )
            found[lower] = str(new if new is not None else sample)
        return found

    def _require_ancestors(self, call: Call) -> None:
        """Raise Refused (404) unless the resources exist that the path goes through."""
        own = plain_path(call.operation.path)
        for kind in call.assignment.ancestors:
            if kind.path == own and call.assignment.role is not Role.EXAMPLE:
                continue
            scope, record_id = call.address_of(kind)
            if kind.read is None and not call.state.records(kind.path, scope):
                continue  # nothing of this type can exist
            if call.state.find(kind.path, scope, record_id) is None:
                raise not_found(kind, record_id)

    def _idempotent(self, call: Call, token: str) -> Outcome:
        """Handle a request once for each idempotency key, if the operation takes one."""
        key = self._idempotency_key(call)
        if key is None or call.request.method in ("GET", "HEAD"):
            return self._handlers.handle(call)
        name = "\n".join((token, call.operation.method, call.request.path, key))
        digest = hashlib.sha256(
            call.request.query.encode("utf-8", "replace") + b"\n" + _canonical(call)
        ).hexdigest()
        kept = call.state.result(name)
        if kept is not None and kept.digest != digest:
            raise Refused(422, 409, 400, detail="This idempotency key was used with another request.")
        if kept is not None:
            return Outcome(response=kept.response)
        outcome = self._handlers.handle(call)
        if 200 <= outcome.response.status < 300:
            result = KeptResult(key=name, digest=digest, response=outcome.response)
            return replace(outcome, changes=(*outcome.changes, result))
        return outcome

    def _idempotency_key(self, call: Call) -> str | None:
        parameter = idempotency_parameter(self.plan.conventions, call.operation)
        if parameter is None:
            return None
        if parameter.location_in is ParameterLocation.HEADER:
            return call.request.header(parameter.name)
        query = parse_qsl(call.request.query, keep_blank_values=True)
        return next((value for name, value in query if name == parameter.name), None)


def _without_content(response: MockResponse) -> MockResponse:
    """Return a response to HEAD: it says how long the content is, and has none (RFC 9110 §9.3.2)."""
    length = ("Content-Length", str(len(response.body)))
    return replace(response, body=b"", headers=(*response.headers, length))


def _canonical(call: Call) -> bytes:
    """Return the body of a request in a form that whitespace and the order of members do not change."""
    if call.read.body is ABSENT:
        return call.request.body
    return write_json(_sort_members(call.read.body))


def _sort_members(value: Any) -> Any:
    match value:
        case dict():
            return {name: _sort_members(value[name]) for name in sorted(value)}
        case list():
            return [_sort_members(item) for item in value]
    return value
