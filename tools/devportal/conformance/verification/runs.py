"""Runs whose JSON reports are kept in a folder, compared with the current contract."""

from dataclasses import dataclass
from datetime import UTC, date
from enum import StrEnum
from pathlib import Path

from devportal.conformance.results.json_report import parse_json_report
from devportal.conformance.results.result import Result
from devportal.contract import Contract
from devportal.documents import read_text
from devportal.errors import Place, UnreadableInput
from devportal.translation import gettext


class Verdict(StrEnum):
    """The verdict of a run on a deployment."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "unfinished"
    """It did not finish and found no failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run, and the name of its report in messages."""

    file: str
    result: Result

    @property
    def day(self) -> date:
        """Return the day it began, in UTC."""
        return self.result.started_at.astimezone(UTC).date()

    @property
    def verdict(self) -> Verdict:
        """Return its verdict on the deployment."""
        if self.result.is_undecided:
            return Verdict.UNDECIDED
        return Verdict.PASSED if self.result.is_clean else Verdict.FAILED

    def precedes_changes(self, contract: Contract) -> bool:
        """Return whether the contract has changed since, under the same version."""
        is_same_version = self.result.contract_version == contract.api.version
        return is_same_version and self.result.contract_digest != contract.digest

    def contract_note(self, contract: Contract) -> str:
        """Return which contract the run used, as an addition to a sentence; empty if it is the current one."""
        if self.result.contract_version != contract.api.version:
            return gettext("against %(version)s", version=self.result.contract_version)
        return gettext("before later changes") if self.precedes_changes(contract) else ""


def read_runs(folder: Path, *, name: str, setting: str = "results") -> tuple[Run, ...]:
    """Return the runs of all JSON reports in a folder and below it, the newest first.

    `name` is the name of the folder in messages, `setting` what names it in `mkdocs.yml`. Raises
    UnreadableInput for a missing folder, and for a file that is not a report.
    """
    if not folder.is_dir():
        raise UnreadableInput(
            f"there is no such folder, which the setting '{setting}' names",
            place=Place(file=name),
            help="make it, and keep reports of `devportal conformance --json` in it; or fix or remove the setting in "
            "mkdocs.yml",
        )
    runs = [
        _read_run(path, f"{name}/{path.relative_to(folder).as_posix()}") for path in folder.rglob("*.json")
    ]
    return tuple(sorted(runs, key=lambda run: (run.result.started_at, run.file), reverse=True))


def _read_run(path: Path, name: str) -> Run:
    return Run(file=name, result=parse_json_report(read_text(path, name=name, max_bytes=None), name=name))
