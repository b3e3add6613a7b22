"""A comparison as workflow commands of GitHub Actions: each change is an annotation at its line."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from devportal.contract import Contract
from devportal.differ import Change, Verdict
from devportal.differ.contract_sources import RevisionContract
from devportal.differ.output.report import Report
from devportal.differ.output.wording import NO_CHANGE, direction_text, escape_for_terminal, verdict_totals
from devportal.reporting import checkout_path, workflow_command

_LEVELS = {Verdict.BREAKING: "error", Verdict.RISKY: "warning"}


def to_workflow_commands(report: Report) -> str:
    """Return one command for each change, then a line with the counts, which is none."""
    told = ", ".join(verdict_totals(report)) or NO_CHANGE
    return "".join(f"{line}\n" for line in (*_commands(report), told))


def _commands(report: Report) -> Iterator[str]:
    for change in report.listed:
        yield workflow_command(
            _level(change),
            report.sides.forge_place(change),
            title=escape_for_terminal(f"{change.verdict}: {change.rule}"),
            message=_message(change, report),
        )


def _level(change: Change) -> str:
    return _LEVELS.get(change.verdict, "notice") if change.counts else "notice"


def _message(change: Change, report: Report) -> str:
    where = ", ".join(filter(None, (str(change.subject), change.field, direction_text(change))))
    lines = [f"{escape_for_terminal(where)}: {escape_for_terminal(change.message)}"]
    if change.hint:
        lines.append(f"What to do: {escape_for_terminal(change.hint)}")
    if change.acknowledged is not None:
        lines.append(
            f"Accepted on {change.acknowledged.date}: {escape_for_terminal(change.acknowledged.reason)}"
        )
    old = report.sides.old_place(change)
    if old is not None:
        lines.append(f"Old place: {escape_for_terminal(str(old))}")
    lines.append(f"Fingerprint: {change.fingerprint}")
    return "\n".join(lines)


def checkout_paths(contracts: Iterable[Contract], *, workspace: Path | None) -> Mapping[str, str]:
    """Return the path in the checkout of each file of contracts, by the name that messages call it.

    A file of a revision has its path in the repository, any other that of `checkout_path`.
    """
    return {name: path for contract in contracts for name, path in _document_paths(contract, workspace)}


def _document_paths(contract: Contract, workspace: Path | None) -> Iterator[tuple[str, str]]:
    for document in contract.source.documents().values():
        if isinstance(contract, RevisionContract):
            in_repository = document.name.removeprefix(f"{contract.revision}:")
            yield f"{contract.revision}:{in_repository}", in_repository
            continue
        yield document.name, checkout_path(document.name, workspace=workspace)
