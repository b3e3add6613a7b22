"""`devportal release`, the commands for changelog entries, and the settings that an edit of the policy
softens.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, NoReturn

import click

from devportal.atomic_files import FileWrite, leftover_files, remove_files, write_atomically
from devportal.changelog.proof.comparing import WrittenPolicy, parse_written_policy
from devportal.changelog.proof.severity import is_version_change
from devportal.command_line import WritingGroup
from devportal.contract import Stability
from devportal.contract.semantic_version import read_version
from devportal.differ.policy import OpenSet, Policy, Softening, UnknownInput
from devportal.differ.rule import Verdict
from devportal.differ.rules.all_rules import EVERY_RULE
from devportal.findings import Finding, Level, has_errors
from devportal.project.caches import cache_folder
from devportal.releasing.project import Project, read_project
from devportal.releasing.release import ReleasePlan, plan_adoption, plan_release
from devportal.releasing.writing import draft_entries, pin_entries, record_publications
from devportal.site.commands.check import check_api, check_audiences

_SETS = (OpenSet.OPEN, OpenSet.RISKY, OpenSet.CLOSED)
_SOFTENINGS = (Softening.ONE_STEP, Softening.NEVER_BREAKING, Softening.NONE)
_DEFAULT = "as usual"


def softened_settings(recorded: WrittenPolicy, present: WrittenPolicy) -> Iterator[str]:
    """Yield each setting and rule that the present policy judges less severely, with its old and new value.

    A rule without an explicit verdict counts with the most severe verdict of its row.
    """
    before, now = parse_written_policy(recorded), parse_written_policy(present)
    for name, rank in _STRICTNESS.items():
        old, new = getattr(before, name), getattr(now, name)
        if rank(new) < rank(old):
            yield _setting_change(name, _value_text(old), _value_text(new))
    dropped_formats = before.format_enforced - now.format_enforced
    if dropped_formats:
        yield f"`format_enforced` lacks {', '.join(sorted(dropped_formats))}"
    yield from _softened_stability_levels(before, now)
    yield from _softened_rules(before, now)


def _setting_change(name: str, old: str, new: str) -> str:
    return f"`{name}` from {old} to {new}"


def _softened_stability_levels(before: Policy, now: Policy) -> Iterator[str]:
    for stability in Stability:
        old, new = (policy.stability_levels.get(stability, Softening.NONE) for policy in (before, now))
        if _SOFTENINGS.index(new) < _SOFTENINGS.index(old):
            yield _setting_change(f"stability_levels.{stability}", old, new)


def _softened_rules(before: Policy, now: Policy) -> Iterator[str]:
    default_levels: dict[str, int] = {}
    for row in EVERY_RULE:
        default_levels[row.id] = max(
            default_levels.get(row.id, -1), _rank(row.to_provider), _rank(row.to_consumer)
        )
    for id_ in sorted({*before.levels, *now.levels}):
        old, new = (_rule_level(id_, policy.levels, default_levels) for policy in (before, now))
        if new[0] < old[0]:
            yield _setting_change(f"rules.{id_}", old[1], new[1])


def _rule_level(
    id_: str, levels: Mapping[str, Verdict | None], default_levels: Mapping[str, int]
) -> tuple[int, str]:
    """Return how severe a rule is under a policy, and the word for it."""
    if id_ not in levels:
        return default_levels[id_], _DEFAULT
    verdict = levels[id_]
    return _rank(verdict), verdict.value if verdict is not None else "off"


def _rank(verdict: Verdict | None) -> int:
    return verdict.rank if verdict is not None else -1


def _value_text(value: Any) -> str:
    match value:
        case None:
            return "ignored"
        case bool():
            return str(value).lower()
        case _:
            return str(value)


_STRICTNESS: Mapping[str, Callable[[Any], int]] = {
    "response_enum": _SETS.index,
    "response_union": _SETS.index,
    "response_optional_removed": _rank,
    "unknown_input": (UnknownInput.IGNORED, UnknownInput.REJECTED).index,
    "first_bound": _rank,
    "date_time_accepts_date": lambda accepts: int(not accepts),
    "operation_id": _rank,
    "placeholder_renamed": _rank,
    "component_renamed": _rank,
    "default_change": _rank,
    "oauth_url": _rank,
    "success_status_added": _rank,
    "sunset_required": int,
    "deprecation_notice_days": int,
}
"""How severe each value of a setting is."""


class _Version(click.ParamType[str]):
    """A version of three numbers."""

    name = "version"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if read_version(text) is None or not text.replace(".", "").isdigit():
            self.fail(f"{text!r} is not a version of three numbers, such as 1.2.0", param, ctx)
        return text


class _Day(click.ParamType[date]):
    """A day."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        try:
            return datetime.strptime(str(value), "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            self.fail(f"{str(value)!r} is not a date of the form YYYY-MM-DD", param, ctx)


_PROJECT = click.option(
    "--config-file",
    "-f",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("mkdocs.yml"),
    show_default=True,
    help="The project's mkdocs.yml.",
)
_API = click.option(
    "--api",
    metavar="NAME",
    help="The API, in a project that lists several under 'contracts'.",
)
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Print what would be written, and write nothing.")


@click.command()
@click.argument("version", type=_Version(), help="The version to release, as in info.version: 1.4.0.")
@_PROJECT
@_API
@click.option(
    "--date",
    "day",
    type=_Day(),
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


@click.group(cls=WritingGroup)
def changelog() -> None:
    """Write changelog entries. The facts are filled in from the contract; you write the text."""


@changelog.command()
@_PROJECT
@_API
@click.option("--entry", "entry_id", default="", metavar="ID", help="Put all changes into one entry.")
@_DRY_RUN
def draft(config_file: Path, api: str | None, entry_id: str, *, dry_run: bool) -> None:
    """Draft entries for changes since the last release that have none.

    One for each API and impact. Run it again after further changes to update the facts. Your text stays.
    Parts of the contract that cannot be read are reported: they look like removals.
    """
    project = _read_project(config_file, api)
    for finding in project.contract.findings:
        if finding.level is Level.ERROR:
            click.echo(str(finding), err=True)
    _write_changes(project, draft_entries(project, entry_id), dry_run=dry_run)


@changelog.command()
@click.argument("ids", nargs=-1, metavar="[ID]...", help="The entries; all of them if none is named.")
@_PROJECT
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
@_PROJECT
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
    for finding in project.findings:
        if finding.place.file.startswith(f"{folder}/") and finding.place.file not in readable_files:
            click.echo(str(finding), err=True)
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
    for finding in all_findings:
        click.echo(str(finding), err=True)
    _exit_with(conclusion, 1 if has_errors(all_findings) else 0)
