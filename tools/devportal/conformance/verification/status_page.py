"""The page of all tested deployments: the newest run of each, and earlier ones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from jinja2 import Environment
from markupsafe import Markup

from devportal.changelog.pages.timeline import format_date
from devportal.conformance.results import charts
from devportal.conformance.results.contract_coverage import coverage_tallies
from devportal.conformance.results.result import failures_of
from devportal.conformance.results.wording import (
    VERDICT_KEPT,
    FailureGroup,
    check_anchor,
    group_failures,
    verdict_of,
)
from devportal.conformance.verification.deployments import (
    EARLIER_RUNS_ANCHOR,
    VerifiedDeployment,
    deployments_of,
)
from devportal.conformance.verification.runs import Run, Verdict
from devportal.contract import Contract
from devportal.markup import Heading, Page, SearchEntry, environment, render_page
from devportal.reporting.printable import count_noun, printable_text

STATUS = "conformance/status.md"
STYLES = ("assets/devportal/conformance.css",)
MOST_FAILURES = 50
"""How many failures of a run are listed; its report has all."""
MOST_EARLIER = 100
"""How many earlier runs are listed."""
_LEAD = (
    "What runs of the conformance tests found on deployments of {title}. Everything here comes from their "
    "reports; what no run has tested is not claimed."
)
_SENTENCES = {
    Verdict.PASSED: "It keeps its contract, as far as the run of {day} can tell.",
    Verdict.FAILED: "It breaks its contract: {faults} in the run of {day}.",
    Verdict.UNDECIDED: "The run of {day} did not finish, so it says nothing.",
}


def status_pages(
    runs: Sequence[Run], contract: Contract, *, operations: Mapping[str, str], checks: str = ""
) -> Iterator[Page]:
    """Yield the page of all deployments; none without runs.

    `operations` has the uri of the page of each operation by its label, such as `POST /v1/orders`; `checks`
    is the uri of the page that explains the checks, if there is one.
    """
    if not runs:
        return
    deployments = deployments_of(runs, contract.api)
    earlier = [(deployment, run) for deployment in deployments for run in deployment.runs[1:]]
    earlier.sort(key=lambda one: one[1].result.started_at, reverse=True)
    intro = _LEAD.format(title=contract.api.title)
    values = {
        "lead": intro,
        "deployments": deployments,
        "earlier": earlier[:MOST_EARLIER],
        "further": max(0, len(earlier) - MOST_EARLIER),
        "contract": contract,
        "operations": operations,
        "checks": checks,
    }
    headings = [Heading(level=2, anchor=one.anchor, title=one.name) for one in deployments]
    if earlier:
        headings.append(Heading(level=2, anchor=EARLIER_RUNS_ANCHOR, title="Earlier runs"))
    body, markdown = render_page(_templates(), "status", STATUS, values)
    yield Page(
        uri=STATUS,
        title="Conformance",
        description=intro,
        body=body,
        markdown=markdown,
        headings=tuple(headings),
        search=(SearchEntry(title="Conformance", text=intro),),
        styles=STYLES,
    )


def verdict_sentence(deployment: VerifiedDeployment) -> str:
    """Return the verdict of the newest run as a sentence."""
    run = deployment.latest
    failure_count_text = count_noun(len(_failing_groups(run)), "fault")
    return _SENTENCES[run.verdict].format(day=format_date(run.day), faults=failure_count_text)


def _failing_groups(run: Run) -> tuple[FailureGroup, ...]:
    return group_failures(one for one in run.result.failures if one.fails)


def _count_passed_operations(run: Run) -> int:
    return sum(
        verdict_of(failures_of(run.result, one)).kind == VERDICT_KEPT and bool(one.cases)
        for one in run.result.operations
    )


def _render_code_spans(text: str) -> Markup:
    """Return a text as HTML, text in backticks as code."""
    parts = re.split(r"`([^`]+)`", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(one) if number % 2 else one for number, one in enumerate(parts)
    )


def _format_duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@lru_cache(maxsize=1)
def _templates() -> Environment:
    templates = environment("devportal.conformance.verification")
    templates.filters |= {
        "day": format_date,
        "shown": printable_text,
        "duration": _format_duration,
        "coded": _render_code_spans,
    }
    templates.globals |= {
        "sentence": verdict_sentence,
        "faults_of": _failing_groups,
        "kept_of": _count_passed_operations,
        "anchor_of": check_anchor,
        "failures_of": failures_of,
        "verdict_of": verdict_of,
        "tallies_of": coverage_tallies,
        "charts": charts,
        "counted": count_noun,
        "most_faults": MOST_FAILURES,
        "earlier_anchor": EARLIER_RUNS_ANCHOR,
    }
    return templates
