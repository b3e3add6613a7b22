"""`devportal release`, and the commands for changelog entries."""

import sys
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

import click

from devportal.atomic_files import FileWrite, leftover_files, remove_files, write_atomically
from devportal.changelog.proof.severity import is_version_change
from devportal.command_line import PROJECT_OPTION, Day, WritingGroup, print_findings
from devportal.contract.semantic_version import read_version
from devportal.findings import Finding, Level, has_errors
from devportal.project.caches import cache_folder
from devportal.releasing.project import Project, read_project
from devportal.releasing.release import ReleasePlan, plan_adoption, plan_release
from devportal.releasing.softened_policy import softened_settings
from devportal.releasing.writing import draft_entries, pin_entries, record_publications
from devportal.site.commands.check import check_api, check_audiences


class _Version(click.ParamType[str]):
    """A version of three numbers."""

    name = "version"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if read_version(text) is None or not text.replace(".", "").isdigit():
            self.fail(f"{text!r} is not a version of three numbers, such as 1.2.0", param, ctx)
        return text


_API = click.option(
    "--api",
    metavar="NAME",
    help="The API, in a project that lists several under 'contracts'.",
)
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Print what would be written, and write nothing.")


@click.command()
@click.argument("version", type=_Version(), help="The version to release, as in info.version: 1.4.0.")
@PROJECT_OPTION
@_API
@click.option(
    "--date",
    "day",
    type=Day(),
    metavar="YYYY-MM-DD",
    show_default="today",
    help="The release date: not before the last release, and not in the future.",
)
@click.option("--adopt", is_flag=True, help="Record a contract that is already in the folder of releases.")
@_DRY_RUN
def release(
    version: str, config_file: Path, api: str | None, day: date | None, *, adopt: bool, dry_run: bool
) -> None:
    """Freeze the contract as VERSION, stamp its entries and record both.

    Runs all checks first, with --api those of this API. If one fails, or the version is too low for the
    changes, nothing is written. If a run was interrupted, run it again to complete it.
    """
    project = read_project(config_file, api=api)
    release_date = day or project.today
    plan = (
        plan_adoption(project, version, release_date)
        if adopt
        else _require_valid_project(project, plan_release(project, version, release_date))
    )
    if plan.findings:
        _exit_on_findings(plan.findings, f"{version} is not released: nothing was written")
    if not plan.is_completion:
        _print_notices(project, adopt=adopt)
    _remove_leftovers(project, dry_run=dry_run)
    if plan.is_completion and not plan.changes:
        _exit_already_released(project, version, day, adopt=adopt)
    _write_changes(project, plan.changes, dry_run=dry_run)
    done = "recorded" if adopt else "completed" if plan.is_completion else "released"
    verb = "would be" if dry_run else "is"
    click.echo(
        f"{version} {verb} {done}, with the date {_release_day(project, version, release_date)}", err=True
    )


def _print_notices(project: Project, *, adopt: bool) -> None:
    """Print notices that do not prevent a release, but matter to whoever releases."""
    last_record = project.releases.manifest.last
    if last_record is None:
        return
    for setting in softened_settings(last_record.policy, project.policy):
        click.echo(
            f"the policy is less strict than for {last_record.version}: {setting}. This release was judged by the "
            "stricter of both. The next one is judged by the policy recorded now",
            err=True,
        )
    proof = project.unreleased
    if not adopt and proof is not None and all(map(is_version_change, proof.step.changes)):
        click.echo(f"only the version changed since {last_record.version}", err=True)


def _remove_leftovers(project: Project, *, dry_run: bool) -> None:
    """Remove the leftovers of an interrupted run, and print them."""
    folders = (project.releases.folder, project.entry_file("x").parent)
    leftovers = [path for folder in folders for path in leftover_files(folder)]
    if not dry_run:
        remove_files(leftovers)
    for path in leftovers:
        word = "would remove" if dry_run else "removed"
        click.echo(f"{word} {project.inputs.name(path)}, left over from an interrupted run", err=True)


def _require_valid_project(project: Project, plan: ReleasePlan) -> ReleasePlan:
    """Return the plan of a release, or one with the errors of the project."""
    if plan.is_completion:
        return plan
    cache, api = cache_folder("comparisons"), project.inputs.portal_api
    checked = (
        check_api(project.config_file, api.name, cache=cache)
        if api is not None
        else check_audiences(project.config_file, cache=cache)
    )
    errors = tuple(finding for finding in checked.all_findings() if finding.level is Level.ERROR)
    return ReleasePlan(findings=(*plan.findings, *errors)) if errors else plan


def _exit_already_released(project: Project, version: str, day: date | None, *, adopt: bool) -> None:
    proof = project.unreleased
    last = project.releases.last
    released_on = _release_day(project, version, project.today)
    if day is not None and day != released_on:
        _exit_with(
            f"{version} was released on {released_on}, not on {day}: the date of a release never changes", 1
        )
    is_last = last is not None and last.version == version
    if is_last and proof is not None and proof.step.changes and not adopt:
        _exit_with(
            f"{version} was released on {released_on}, and the contract has changed since: raise "
            "`info.version` and release that version",
            1,
        )
    _exit_with(f"{version} was released on {released_on}: nothing to do", 0)


def _exit_with(conclusion: str, code: int) -> NoReturn:
    click.echo(conclusion, err=True)
    sys.exit(code)


def _release_day(project: Project, version: str, default: date) -> date:
    record = project.releases.manifest.record(version)
    return record.date if record is not None else default


class _ChangelogGroup(WritingGroup):
    """The commands for entries. The changelog command of some other tools compares two files."""

    def advise(self, cmd_name: str) -> str:
        """Return how to compare contracts, for a file in place of a command."""
        return "To compare contracts, run 'devportal diff OLD NEW'." if Path(cmd_name).is_file() else ""


@click.group(cls=_ChangelogGroup)
def changelog() -> None:
    """Write changelog entries. The facts are filled in from the contract; you write the text."""


@changelog.command()
@PROJECT_OPTION
@_API
@click.option("--entry", "entry_id", default="", metavar="ID", help="Put all changes into one entry.")
@_DRY_RUN
def draft(config_file: Path, api: str | None, entry_id: str, *, dry_run: bool) -> None:
    """Draft entries for changes since the last release that have none.

    One for each API and impact. Run it again after further changes to update the facts. Your text stays.
    Parts of the contract that cannot be read are reported: they look like removals.
    """
    project = _read_project(config_file, api)
    print_findings(finding for finding in project.contract.findings if finding.level is Level.ERROR)
    _write_changes(project, draft_entries(project, entry_id), dry_run=dry_run)


@changelog.command()
@click.argument("ids", nargs=-1, metavar="[ID]...", help="The entries; all of them if none is named.")
@PROJECT_OPTION
@_API
@_DRY_RUN
def pin(ids: tuple[str, ...], config_file: Path, api: str | None, *, dry_run: bool) -> None:
    """Add the fingerprints of the breaking and risky changes that entries select.

    Updates all entries, or those named. Read what it pins: only selected changes are pinned.
    """
    project = _read_project(config_file, api)
    _write_changes(project, pin_entries(project, ids), dry_run=dry_run)


@changelog.command()
@click.argument("ids", nargs=-1, metavar="[ID]...", help="The entries; all of them if none is named.")
@PROJECT_OPTION
@_API
@_DRY_RUN
def publish(ids: tuple[str, ...], config_file: Path, api: str | None, *, dry_run: bool) -> None:
    """Record entries as published. Their text must not change afterwards.

    Records all new and corrected entries, or those named. To correct a published entry, describe the
    correction under `amended`.
    """
    project = _read_project(config_file, api)
    _write_changes(project, record_publications(project, ids), dry_run=dry_run)


def _read_project(config_file: Path, api: str | None) -> Project:
    """Read a project. Entries that cannot be read are printed, because they stay as they are."""
    project = read_project(config_file, api=api)
    readable_files = {entry.document.name for entry in project.entries}
    folder = project.inputs.name(project.entry_file("x").parent)
    print_findings(
        finding
        for finding in project.findings
        if finding.place.file.startswith(f"{folder}/") and finding.place.file not in readable_files
    )
    return project


def _write_changes(project: Project, changes: Sequence[FileWrite], *, dry_run: bool) -> None:
    if not changes:
        click.echo("nothing to write", err=True)
    if not dry_run:
        write_atomically(changes)
    for change in changes:
        click.echo(f"{'would write ' if dry_run else ''}{project.inputs.name(change.path)}")


def _exit_on_findings(findings: Iterable[Finding], conclusion: str) -> None:
    all_findings = tuple(findings)
    print_findings(all_findings)
    _exit_with(conclusion, 1 if has_errors(all_findings) else 0)
