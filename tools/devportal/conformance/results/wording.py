"""What reports share: failures grouped, verdicts, why one counts, places."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from devportal.conformance.deployment.exchange import HttpResponse
from devportal.conformance.results.result import (
    QUIET_STANDINGS,
    Failure,
    OperationResult,
    Result,
    Standing,
    failures_of,
)
from devportal.errors import Place
from devportal.reporting.printable import count_noun, printable_text
from devportal.translation import gettext, ngettext


def body_text(answer: HttpResponse, longest: int = 400) -> str:
    """Return the body of a response as text to look at; bytes that are not UTF-8 are shown as such."""
    return printable_text(answer.body.decode("utf-8", "backslashreplace"), longest)


def status_text(status: int) -> str:
    """Return a status as people read it."""
    return str(status) if status else "no response"


def status_counts_text(statuses: Iterable[tuple[int, int]]) -> str:
    """Return statuses with how often each came: `500 (3×), 503 (1×)`."""
    return ", ".join(f"{status_text(status)} ({count}×)" for status, count in statuses)


def standing_text(failure: Failure) -> str:
    """Return what a failure's standing means."""
    match failure.standing:
        case Standing.CONFIRMED:
            return "reproduced by a replay"
        case Standing.CERTAIN:
            return "concerns the whole run"
        case Standing.INTERMITTENT:
            return "intermittent: no replay reproduced it, but it occurred too often to be a glitch"
        case Standing.NOT_REPRODUCED:
            return "not reproduced by a replay"
        case Standing.NOTE:
            return "allowed: the contract neither describes nor forbids it"
        case Standing.KNOWN:
            return _known_text(failure)
        case other:
            assert_never(other)


def outcome_text(result: Result) -> str:
    """Return the outcome of a run in a few words."""
    if result.is_clean:
        return f"The deployment conforms to the contract{_exceptions_text(result)}"
    return (
        "The run did not finish" if result.is_undecided else "The deployment does not conform to the contract"
    )


def _exceptions_text(result: Result) -> str:
    """Return what a run without a failure that counts leaves aside; empty if that is nothing."""
    uncounted = {failure.standing for failure in result.failures if not failure.fails} - set(QUIET_STANDINGS)
    exceptions = [
        *(["known failures"] if Standing.KNOWN in uncounted else []),
        *(["operations that --stability does not cover"] if uncounted - {Standing.KNOWN} else []),
    ]
    return f", except for {' and '.join(exceptions)}" if exceptions else ""


def uncounted_text(failure: Failure) -> str:
    """Return why a failure does not make the run red."""
    if failure.standing in (*QUIET_STANDINGS, Standing.KNOWN):
        return standing_text(failure)
    if failure.fails:
        return "the run did not finish: it has no result"
    return "--stability does not cover its operation"


def _known_text(failure: Failure) -> str:
    if failure.known is None:
        return "known"
    owner = f", {failure.known.owner}" if failure.known.owner else ""
    return f"known until {failure.known.expires}{owner}: {failure.known.reason}"


UNDOCUMENTED_STATUS = "undocumented status"
VALUE_CHANGED = "a value that the contract allows is stored as another"
WRONG_BODY = "the body breaks its schema"
DROPPED_QUERY = "the link to the next page drops the query"
BODY_SCHEMAS = "response_schema_conformance"
"""The check of Schemathesis that compares bodies with their schemas."""
VERDICT_PASSED, VERDICT_FAILED, VERDICT_DOUBTFUL = "passed", "failed", "doubtful"
VERDICT_UNTESTED = "untested"


class OperationVerdict(NamedTuple):
    """What kind of verdict it is (`passed`, `failed`, `doubtful`, `untested`), and its words."""

    kind: str
    words: str


def operation_verdict(result: Result, operation: OperationResult) -> OperationVerdict:
    """Return the verdict of a run on an operation."""
    failures = failures_of(result, operation)
    red = sum(failure.fails for failure in failures)
    known = sum(failure.standing is Standing.KNOWN for failure in failures)
    if red:
        return OperationVerdict(VERDICT_FAILED, ngettext("%(number)s failed", "%(number)s failed", red))
    if known:
        return OperationVerdict(VERDICT_DOUBTFUL, ngettext("%(number)s known", "%(number)s known", known))
    if any(failure.standing not in QUIET_STANDINGS for failure in failures):
        return OperationVerdict(
            VERDICT_DOUBTFUL, ngettext("%(number)s not counted", "%(number)s not counted", len(failures))
        )
    if not operation.cases:
        return OperationVerdict(VERDICT_UNTESTED, gettext("not tested"))
    if result.is_unfinished:
        return OperationVerdict(VERDICT_UNTESTED, gettext("not finished"))
    return OperationVerdict(VERDICT_PASSED, gettext("passed"))


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureGroup:
    """Failures of one check with one title."""

    members: tuple[Failure, ...]

    @property
    def shown(self) -> Failure:
        """The failure that stands for all: of those that count like the first, the one that takes the fewest
        requests to reproduce.
        """
        first = self.members[0]
        alike = (
            member
            for member in self.members
            if (member.fails, member.standing) == (first.fails, first.standing)
        )
        return min(alike, key=lambda item: len(item.chain))

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations that have it, each once; none if it concerns the run as a whole."""
        return tuple(dict.fromkeys(member.operation for member in self.members if member.operation))

    @property
    def others(self) -> tuple[Failure, ...]:
        """Those with another message than the one that is shown, each message of an operation once."""
        seen = {(self.shown.operation, self.shown.message)}
        found = []
        for member in self.members:
            if (member.operation, member.message) not in seen:
                seen.add((member.operation, member.message))
                found.append(member)
        return tuple(found)

    @property
    def count(self) -> int:
        """How many cases showed it."""
        return sum(member.count for member in self.members)


def group_failures(failures: Iterable[Failure]) -> tuple[FailureGroup, ...]:
    """Return the failures in groups, in the order in which the first of each comes."""
    groups: dict[tuple[str, str, str, str], list[Failure]] = {}
    for failure in failures:
        groups.setdefault(_group_key(failure), []).append(failure)
    return tuple(FailureGroup(members=tuple(members)) for members in groups.values())


def _group_key(failure: Failure) -> tuple[str, str, str, str]:
    """Return what the failures of a group have in common. Two checks report undocumented statuses and wrong
    bodies: ours, and Schemathesis' in the requests that it generates.
    """
    if failure.code == "ST103" and failure.exchange is not None:
        return "", "", "", f"{failure.exchange.status}: {UNDOCUMENTED_STATUS}"
    if failure.check == BODY_SCHEMAS and failure.exchange is not None:
        return "", "", "", f"{failure.exchange.status}: {WRONG_BODY}"
    if failure.title.endswith((f": {UNDOCUMENTED_STATUS}", f": {WRONG_BODY}")):
        return "", "", "", failure.title
    return failure.source, failure.check, failure.code, failure.title


def failure_name(failure: Failure) -> str:
    """Return the name of a failure in one line: its title and the check, with the code."""
    code = f" {failure.code}" if failure.code else ""
    return f"{failure.title} [{failure.check}{code}]"


def joined_texts(failure: Failure) -> tuple[str, ...]:
    """Return a line for each other check that reports the same failure."""
    return tuple(f"{failure_name(joined)}: {joined.message}" for joined in failure.also)


def operations_text(group: FailureGroup) -> str:
    """Return which operations have a failure: the first, and how many more there are."""
    first = group.shown.operation or "the whole run"
    more = len(group.operations) - 1
    return f"{first} and {count_noun(more, 'more operation')}" if more > 0 else first


def promise_place(failure: Failure | None, result: Result) -> Place:
    """Return the place of the promise: else that of its operation, and the contract as a whole for what
    belongs to no operation.
    """
    operations = {operation.label: operation.place for operation in result.operations}
    own = None if failure is None else failure.promise or operations.get(failure.operation)
    return own or Place(file=_contract_file(result))


def _contract_file(result: Result) -> str:
    """Return the path of the contract: most operations stand in it."""
    files = (operation.place.file for operation in result.operations)
    return next((file for file in files if file.endswith(result.contract)), result.contract)


CHECKS_PAGE = "conformance/checks/"


def check_anchor(check: str) -> str:
    """Return the anchor of a check on that page."""
    return check.replace("_", "-")


def check_page(site: str, check: str) -> str:
    """Return the address that documents a check: below `site`, or from the root if that is empty."""
    return f"{site.rstrip('/')}/{CHECKS_PAGE}#{check_anchor(check)}"
