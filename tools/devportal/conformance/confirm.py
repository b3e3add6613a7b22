"""What the checks said, grouped, confirmed by a replay, and turned into failures."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from devportal.conformance.deployment import Deployment
from devportal.conformance.events import Case, Deviation
from devportal.conformance.exchange import Answer, Exchange, digest_of
from devportal.conformance.families.methods import is_unknown_method
from devportal.conformance.family import Family, Fault
from devportal.conformance.masking import Mask
from devportal.conformance.renewal import renewals
from devportal.conformance.replay import replay
from devportal.conformance.response_check import Aspect, breaches, documents, is_left_to_http, response_for
from devportal.conformance.result import Failure, Source, Standing
from devportal.conformance.subject import Subject
from devportal.contract import Location, Operation

TRIES = 3
"""How many different cases of one failure are replayed until one of them shows it again."""
MOST_NAMED = 20
"""How many exchanges that showed a failure are told apart; only few matter."""

ASPECTS = {
    "ST103": Aspect.STATUS,
    "ST104": Aspect.MEDIA_TYPE,
    "ST105": Aspect.MEDIA_TYPE,
    "ST106": Aspect.MEDIA_TYPE,
    "ST107": Aspect.HEADER,
    "ST108": Aspect.BODY,
    "ST109": Aspect.BODY,
    "ST110": Aspect.BODY,
    "ST111": Aspect.BODY,
}
"""The failure codes of Schemathesis that are about the shape of an answer, and which part of it."""
HEADERS = "response_headers_conformance"
SERVER_ERRORS = frozenset({"ST101", "ST102"})
REFUSALS = frozenset({"ST401", "ST402"})
ABOUT_STATE = frozenset({"ST301", "ST302"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """What a confirmation needs: the subject, the deployment to ask again, which operations gate."""

    subject: Subject
    deployment: Deployment
    mask: Mask
    gates: Callable[[str], bool]


def excused(subject: Subject, case: Case) -> Case:
    """Return the case without the server errors that are none, 501 to an undeclared method, without the
    undocumented statuses that the contract leaves to HTTP, and without what only a deployment can keep that
    is no mock.
    """
    return replace(case, deviations=tuple(one for one in case.deviations if not _is_excused(subject, one)))


def _is_excused(subject: Subject, deviation: Deviation) -> bool:
    exchange = deviation.exchange
    if deviation.code in SERVER_ERRORS:
        return is_unknown_method(subject, exchange)
    if deviation.code in ABOUT_STATE:
        return subject.keeps_nothing
    operation = subject.operation(exchange.operation)
    if deviation.code != "ST103" or operation is None or subject.undocumented_fails:
        return False
    return is_left_to_http(operation, exchange.status)


def schemathesis_failures(judge: Judge, cases: Sequence[Case]) -> Iterator[Failure]:
    """Yield one failure for each distinct deviation of an operation, confirmed or not."""
    groups: dict[tuple[str, str, str, str, str, str], list[tuple[Case, Deviation]]] = {}
    for case in (excused(judge.subject, one) for one in cases):
        for deviation in case.deviations:
            key = (
                case.exchange.operation,
                deviation.check,
                deviation.code,
                deviation.where,
                deviation.title,
                str(deviation.exchange.status),
            )
            groups.setdefault(key, []).append((case, deviation))
    for key, members in groups.items():
        members.sort(key=lambda one: _size(one[1]))
        case, deviation = members[0]
        standing, shown = _standing(judge, [one for _, one in members])
        operation = judge.subject.operation(key[0])
        yield Failure(
            check=deviation.check,
            source=Source.SCHEMATHESIS,
            title=deviation.title,
            message=_message(deviation, case),
            operation=key[0],
            code=deviation.code,
            where=deviation.where,
            promise=judge.subject.contract.place(_promise(operation, deviation)) if operation else None,
            exchange=shown[-1],
            chain=shown[:-1],
            count=len(members),
            seen_in=_named([one.exchange for _, one in members]),
            standing=standing,
            gates=judge.gates(key[0]),
        )


def family_failures(
    judge: Judge, family: Family, faults: Sequence[Fault], exchanges: tuple[Exchange, ...]
) -> Iterator[Failure]:
    """Yield one failure for each distinct fault that a family saw in the exchanges of the run."""
    groups: dict[tuple[str, str, Location | None], list[Fault]] = {}
    for fault in faults:
        groups.setdefault((fault.operation, fault.title, fault.promise), []).append(fault)
    for members in groups.values():
        members.sort(key=lambda one: sum(len(each.request.body or b"") for each in one.evidence))
        fault = members[0]
        standing = Standing.NOTE if fault.is_note else Standing.NOT_REPRODUCED
        for candidate in members[:TRIES] if not fault.is_note else ():
            if again := _seen_again(judge, family, candidate, exchanges):
                standing, fault = Standing.CONFIRMED, again
                break
        seen_in = _named([one.evidence[-1] for one in members if one.evidence])
        yield replace(failure_of(judge, family.name, fault, standing), count=len(members), seen_in=seen_in)


def failure_of(judge: Judge, check: str, fault: Fault, standing: Standing) -> Failure:
    """Return the failure that a fault of one of our families is, seen once."""
    return Failure(
        check=check,
        source=Source.DEVPORTAL,
        title=fault.title,
        message=fault.message,
        operation=fault.operation,
        promise=judge.subject.contract.place(fault.promise) if fault.promise is not None else None,
        exchange=fault.evidence[-1] if fault.evidence else None,
        chain=fault.evidence[:-1],
        seen_in=_named(fault.evidence[-1:]),
        standing=standing,
        gates=judge.gates(fault.operation),
    )


def _seen_again(judge: Judge, family: Family, fault: Fault, exchanges: tuple[Exchange, ...]) -> Fault | None:
    """Return the fault as it shows when its evidence is sent again, as often as its family says."""
    replaced = {id(one) for one in fault.evidence}
    kept = tuple(one for one in exchanges if id(one) not in replaced)
    for rounds in renewals(judge.subject, fault.evidence, exchanges, family.rounds):
        renewed: tuple[Exchange, ...] = ()
        for evidence in rounds:
            again = replay(judge.deployment, judge.mask, evidence)
            if again is None:
                break
            renewed += again
            if found := _shown(judge, family, fault, renewed, kept):
                return found
    return None


def _shown(
    judge: Judge, family: Family, fault: Fault, renewed: tuple[Exchange, ...], kept: tuple[Exchange, ...]
) -> Fault | None:
    for found in family.sees(judge.subject, (*renewed, *kept)) if family.sees is not None else ():
        same = (found.operation, found.title) == (fault.operation, fault.title)
        if same and any(one in renewed for one in found.evidence):
            return found
    return None


def _named(exchanges: Sequence[Exchange]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(digest_of(one) for one in exchanges[:MOST_NAMED]))


def _standing(judge: Judge, deviations: Sequence[Deviation]) -> tuple[Standing, tuple[Exchange, ...]]:
    """Return whether a replay shows it, and all exchanges that do, the last of them with the fault."""
    for deviation in deviations[:TRIES]:
        for (evidence,) in renewals(judge.subject, (*deviation.chain, deviation.exchange), ()):
            renewed = replay(judge.deployment, judge.mask, evidence)
            if renewed is not None and _shows(judge.subject, deviation, renewed[-1]):
                return Standing.CONFIRMED, renewed
    return Standing.NOT_REPRODUCED, (*deviations[0].chain, deviations[0].exchange)


def _shows(subject: Subject, deviation: Deviation, again: Exchange) -> bool:
    """Say whether the renewed exchange has the fault that Schemathesis saw in the recorded one."""
    before = deviation.exchange
    if deviation.code in SERVER_ERRORS:
        return again.status >= 500 and not is_unknown_method(subject, again)
    if deviation.code in REFUSALS:
        return again.status not in (401, 403)
    aspect, operation = _aspect(deviation), subject.operation(before.operation)
    if aspect is None or operation is None:
        return again.status // 100 == before.status // 100
    if aspect in _aspects(subject, operation, before.answer):
        return aspect in _aspects(subject, operation, again.answer)
    # Schemathesis reads some schemas more strictly than we do: then the same status is what can be compared.
    return again.status == before.status


def _aspect(deviation: Deviation) -> Aspect | None:
    """Return which part of an answer a deviation is about: one code stands for bodies and headers alike."""
    return Aspect.HEADER if deviation.check == HEADERS else ASPECTS.get(deviation.code)


def _aspects(subject: Subject, operation: Operation, answer: Answer | None) -> set[Aspect]:
    return {one.aspect for one in breaches(subject.validator, operation, answer)} if answer else set()


def _size(deviation: Deviation) -> int:
    request = deviation.exchange.request
    return len(deviation.chain) * 1_000_000 + len(request.body or b"") + len(request.url)


def _message(deviation: Deviation, case: Case) -> str:
    lines = [line.strip() for line in deviation.message.splitlines() if line.strip()]
    about = f" [{case.phase}: {case.about}]" if case.about else f" [{case.phase}]"
    return (" ".join(lines) or deviation.title) + about


def _promise(operation: Operation, deviation: Deviation) -> Location:
    """Return where the contract makes the promise that a deviation breaks."""
    response = response_for(operation, deviation.exchange.status)
    if deviation.code in REFUSALS and documents(operation, 401):
        refusal = response_for(operation, 401)
        return refusal.location if refusal is not None else operation.location
    if deviation.code == "ST103" or response is None:
        return operation.location.child("responses")
    if deviation.code in ASPECTS:
        return response.location
    if deviation.code in ("ST201", "ST202") and operation.request_body is not None:
        return operation.request_body.location
    return operation.location
