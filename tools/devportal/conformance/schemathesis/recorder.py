"""Runs inside Schemathesis and writes its events as our lines. The only module that knows its event classes.

Written against the version that pyproject.toml pins, and run by
`tests/conformance/schemathesis/test_schemathesis_run.py`. Lines are masked before they are written, so that no
secret reaches a file.
"""

import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import IO, Any

from schemathesis import APIOperation, Case, HookContext, __version__, hook
from schemathesis.cli import EventHandler, ExecutionContext, handler
from schemathesis.core.failures import Failure
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.transport import Response
from schemathesis.engine import Status, events
from schemathesis.engine.recorder import CaseNode, Interaction, ScenarioRecorder
from schemathesis.generation.meta import (
    REQUEST_SHAPE_PROBES,
    CoveragePhaseData,
    CoverageScenario,
    coverage_scenario,
    negated_parameters,
)

from devportal.conformance.deployment.exchange import (
    SAFE_METHODS,
    Exchange,
    HttpResponse,
    Request,
    exchange_to_json,
)
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.deployment.pace import Pace
from devportal.conformance.knowledge.requests.ignorable_headers import is_ignorable_header
from devportal.conformance.schemathesis.events import FORMAT
from devportal.contract.model import IGNORED_HEADER_PARAMETERS

BODY_LIMIT_BYTES = 65_536
NOT_IN_HEADERS = frozenset(map(chr, (*range(0x20), 0x7F))) - {"\t"}
"""Characters that no value of a header may hold (RFC 9110 §5.5)."""


_LONE_SURROGATE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
"""An escape in JSON that stands for no character (RFC 8259 §8.2)."""


REFUSAL_CHECK = "negative_data_rejection"


class UnsafeMethod(Exception):
    """A request that could change something in a read-only run: it is not sent."""


def install(stream: IO[str], secret: str, *, rate_per_s: float = 0.0, is_read_only: bool = False) -> None:
    """Make Schemathesis write our lines to a stream and follow the request policy. Called by the generated
    hooks module.
    """
    mask = Mask.of_secret(secret)
    hook("filter_headers")(filter_headers)
    hook("after_call")(after_call)
    hook("before_init_operation")(before_init_operation)
    if rate_per_s or is_read_only:
        _limit_requests(rate_per_s, is_read_only=is_read_only)

    @handler()
    class Recorder(EventHandler[ExecutionContext]):
        """Passes each event to `event_lines`."""

        def handle_event(self, ctx: ExecutionContext, event: events.EngineEvent) -> None:  # noqa: ARG002
            """Write the lines of one event; the signature is Schemathesis'."""
            for line in event_lines(event, mask):
                stream.write(json.dumps(line) + "\n")
            stream.flush()


def filter_headers(context: HookContext, headers: dict[str, Any] | None) -> bool:  # noqa: ARG001
    """Leave out headers that are invalid in HTTP: a server rejects them before the API sees them."""
    return all(NOT_IN_HEADERS.isdisjoint(str(value)) for value in (headers or {}).values())


def before_init_operation(context: HookContext, operation: "APIOperation[Any, Any, Any, Any]") -> None:  # noqa: ARG001
    """Leave out what leads to no request of an operation: header parameters that the OAS ignores, which are not those
    that Schemathesis makes of security schemes, and empty examples of segments of its path.
    """
    credentials = [parameter.definition for parameter in operation.security.iter_parameters()]
    operation.headers.items[:] = [
        parameter
        for parameter in operation.headers
        if parameter.name.lower() not in IGNORED_HEADER_PARAMETERS or parameter.definition in credentials
    ]
    for number, parameter in enumerate(operation.path_parameters):
        definition = _without_empty_examples(parameter.definition)
        if definition != parameter.definition:
            operation.path_parameters.items[number] = replace(parameter, definition=definition)


def _without_empty_examples(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return a parameter without those of its examples and defaults, and of its schema's, that are empty texts."""
    kept = {
        name: value for name, value in definition.items() if value != "" or name not in ("example", "default")
    }
    if isinstance(kept.get("schema"), Mapping):
        kept["schema"] = _without_empty_examples(kept["schema"])
    match kept.get("examples"):
        case list() as values:
            kept["examples"] = [value for value in values if value != ""]
        case Mapping() as named:
            kept["examples"] = {
                name: example
                for name, example in named.items()
                if not isinstance(example, Mapping) or example.get("value") != ""
            }
    return kept


def after_call(context: HookContext, case: "Case[Any]", response: Response) -> None:  # noqa: ARG001
    """Give the checks of Schemathesis the values of headers as HTTP defines them: without surrounding space,
    and several lines as one list (RFC 9110 §5.3, §5.5). Escapes of half a surrogate pair, at which its
    validator raises, become a replacement character: a server that repeats one breaks no promise.
    """
    response.content = _LONE_SURROGATE.sub(rb"\\ufffd", response.content)
    for name, lines in response.headers.items():
        if name != "set-cookie":
            response.headers[name] = [", ".join(map(_header_text, lines))]


def _limit_requests(rate_per_s: float, *, is_read_only: bool) -> None:
    pace = Pace(rate_per_s)

    @hook
    def before_call(context: HookContext, case: "Case[Any]", kwargs: dict[str, Any]) -> None:  # noqa: ARG001
        if is_read_only and case.method.upper() not in SAFE_METHODS:
            raise UnsafeMethod(f"{case.method} is not safe, and this run only reads")
        time.sleep(pace.wait_s(time.monotonic()))


def event_lines(event: events.EngineEvent, mask: Mask) -> Iterator[dict[str, Any]]:
    """Yield the lines for one event; most events have none."""
    match event:
        case events.EngineStarted():
            yield {"event": "started", "format": FORMAT, "schemathesis": __version__}
        case events.ScenarioFinished():
            yield from _case_lines(event, mask)
        case events.NonFatalError():
            yield {
                "event": "error",
                "operation": event.label,
                "title": event.info.title,
                "message": mask.text(str(event.info.message)),
            }
        case events.FatalError():
            yield {
                "event": "error",
                "operation": "",
                "title": type(event.exception).__name__,
                "message": mask.text(str(event.exception)),
            }
        case events.EngineFinished():
            yield {"event": "finished", "stop": event.stop_reason.value}


def _case_lines(event: events.ScenarioFinished, mask: Mask) -> Iterator[dict[str, Any]]:
    recorder = event.recorder
    for case_id, interaction in recorder.interactions.items():
        node = recorder.cases.get(case_id)
        checks = recorder.checks.get(case_id, [])
        failed = [
            (check.name, check.failure_info.failure)
            for check in checks
            if check.status is Status.FAILURE
            and check.failure_info is not None
            and not (check.name == REFUSAL_CHECK and _is_invalid_for_no_server(node))
        ]
        yield {
            "event": "case",
            "phase": event.phase.value,
            "invalid_inputs": _invalid_inputs(node),
            "broken_rules": _broken_rules(node),
            "exchange": exchange_to_json(mask.exchange(_exchange(interaction, node))),
            "passed": sorted({check.name for check in checks if check.status is Status.SUCCESS}),
            "deviations": [_failed_check(recorder, case_id, name, failure, mask) for name, failure in failed],
        }


def _failed_check(
    recorder: ScenarioRecorder, case_id: str, check: str, failure: Failure, mask: Mask
) -> dict[str, Any]:
    shown_case_id = failure.case_id if failure.case_id in recorder.interactions else case_id
    earlier_case_ids = [
        case.id
        for case in recorder.iter_chain_cases(
            case_id=shown_case_id or case_id, related_case_ids=failure.related_case_ids()
        )
        if case.id != shown_case_id and case.id in recorder.interactions
    ]
    # A check that sends the case again without credentials does not need the first exchange.
    chain = earlier_case_ids if shown_case_id == case_id else []
    return {
        "check": check,
        "code": failure.code,
        "title": mask.text(failure.title),
        "message": mask.text(failure.message),
        "where": "/".join(str(step) for step in getattr(failure, "schema_path", ())),
        "exchange": _masked_exchange(recorder, shown_case_id, mask) if shown_case_id != case_id else None,
        "chain": [_masked_exchange(recorder, text, mask) for text in chain],
    }


def _masked_exchange(recorder: ScenarioRecorder, case_id: str | None, mask: Mask) -> dict[str, Any]:
    assert case_id is not None  # noqa: S101 - both callers have looked it up
    exchange = _exchange(recorder.interactions[case_id], recorder.cases.get(case_id))
    return exchange_to_json(mask.exchange(exchange))


def _exchange(interaction: Interaction, node: CaseNode | None) -> Exchange:
    request, response = interaction.request, interaction.response
    return Exchange(
        operation=node.value.operation.label if node is not None else "",
        is_valid=node is not None and _is_valid(node),
        request=Request(
            method=request.method,
            url=request.uri,
            headers=_headers(request.headers),
            body=request.body if request.body is None else request.body[:BODY_LIMIT_BYTES],
            complete=len(request.body or b"") <= BODY_LIMIT_BYTES,
        ),
        answer=None
        if response is None
        else HttpResponse(
            status=response.status_code,
            headers=_headers(response.headers),
            body=response.content[:BODY_LIMIT_BYTES],
            elapsed_s=response.elapsed,
        ),
    )


def _headers(headers: dict[str, list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, _header_text(value)) for name, values in headers.items() for value in values)


def _header_text(value: str | bytes) -> str:
    """Return the text of a header line without the surrounding space, which urllib3 keeps."""
    return (value.decode("latin-1") if isinstance(value, bytes) else value).strip(" \t")


def _is_valid(node: CaseNode) -> bool:
    """Return whether a case is valid by the contract: generated as valid, and not altered by a check."""
    meta = node.value.meta
    if meta is None or not meta.generation.mode.is_positive:
        return False
    if coverage_scenario(node.value) in REQUEST_SHAPE_PROBES:
        return False
    return node.parent_id is None or node.transition is not None


def _invalid_inputs(node: CaseNode | None) -> list[list[str]]:
    """Return the parameters that a case makes invalid, each as its location and name: `["query", "limit"]`."""
    # Reading `Case.meta` would validate the case again, and hide the parameters that it changed.
    found = negated_parameters(node.value._meta) if node is not None else ()  # noqa: SLF001
    return [list(pair) for pair in dict.fromkeys((str(place.value), name) for name, place in found)]


def _is_invalid_for_no_server(node: CaseNode | None) -> bool:
    """Return whether a server may accept a case that is invalid by the contract: all that is invalid are parameters
    that the contract does not name, or headers that any server may ignore.
    """
    invalid = _invalid_inputs(node)
    is_ignorable = bool(invalid) and all(is_ignorable_header(place, name) for place, name in invalid)
    return is_ignorable or _has_unknown_parameter_only(node)


def _has_unknown_parameter_only(node: CaseNode | None) -> bool:
    """Return whether all that is invalid in a case is a parameter, header or cookie that the contract does not name:
    no contract forbids one, and each deployment may get some headers (RFC 9110 §5.1).
    """
    if node is None or coverage_scenario(node.value) is not CoverageScenario.OBJECT_UNEXPECTED_PROPERTIES:
        return False
    data = node.value._meta.phase.data if node.value._meta is not None else None  # noqa: SLF001
    return isinstance(data, CoveragePhaseData) and data.parameter_location in (
        ParameterLocation.QUERY,
        ParameterLocation.HEADER,
        ParameterLocation.COOKIE,
    )


def _broken_rules(node: CaseNode | None) -> list[str]:
    """Return the rules that a case breaks: the scenario of a systematic case, or the keywords of others."""
    if node is None or not _invalid_inputs(node):
        return []
    if (scenario := coverage_scenario(node.value)) is not None:
        return [scenario.value.replace("_", " ")]
    mutations = node.value._meta.phase.data.mutations if node.value._meta is not None else ()  # noqa: SLF001
    return list(dict.fromkeys(keyword for mutation in mutations for keyword in mutation.keywords))
