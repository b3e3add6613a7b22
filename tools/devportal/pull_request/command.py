"""`devportal pull-request`: its options."""

import datetime as dt
import sys
from pathlib import Path

import click

from devportal.command_line import ALLOW_OUTSIDE_REFERENCES_OPTION
from devportal.differ.commands.options import NEW_OPTION, VERDICT_NAMES, old_option, today_option
from devportal.reporting.options import FormatOptions, format_options

_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command("pull-request")
@old_option(default="NEW where the branch began")
@NEW_OPTION
@click.option(
    "--policy",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    show_default="that of mkdocs.yml, or diff-policy.yaml if there is one",
    help="A policy file: how to judge changes, and which ones are accepted.",
)
@click.option(
    "--fail-on",
    type=click.Choice(VERDICT_NAMES),
    default="breaking",
    show_default=True,
    help="The least severe changes that have to be reviewed. Without a review, the status is a failure.",
)
@format_options
@click.option(
    "--site-before",
    type=_FOLDER,
    metavar="FOLDER",
    help="A build of the portal without the pull request. With --site-after, changed pages are listed.",
)
@click.option(
    "--site-after", type=_FOLDER, metavar="FOLDER", help="A build of the portal with the pull request."
)
@click.option(
    "--pages-output",
    type=_FOLDER,
    metavar="FOLDER",
    help="Write the changed pages into a new folder, before and after, with the difference of their texts.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Print the comment and the status instead of sending them. Needs no token.",
)
@today_option("The date to compare sunsets and acknowledgements with.")
@ALLOW_OUTSIDE_REFERENCES_OPTION
def pull_request(
    *,
    old: str | None,
    new: str | None,
    policy: Path | None,
    fail_on: str,
    formats: FormatOptions,
    site_before: Path | None,
    site_after: Path | None,
    pages_output: Path | None,
    dry_run: bool,
    today: dt.date,
    allow_outside_references: bool,
) -> None:
    """Comment on a pull request: what changes for clients, with the proof, and how to accept it.

    Runs in a job of GitHub Actions or GitLab CI. Keeps one comment up to date and sets the status of the commit.
    The token is read from GITHUB_TOKEN or GITLAB_TOKEN. Exits with 1 if a change has to be reviewed, 2 if the
    contracts could not be compared or the forge refused.
    """
    from devportal.differ.commands.project_inputs import (  # noqa: PLC0415 - slow to import
        project_allows_outside_references,
        project_contract,
        project_policy,
    )
    from devportal.pull_request.run import PullRequestOptions, run_pull_request  # noqa: PLC0415 - keeps --help fast

    if (site_before is None) != (site_after is None):
        raise click.UsageError("--site-before and --site-after go together")
    if pages_output is not None and site_before is None:
        raise click.UsageError("--pages-output needs --site-before and --site-after")
    contract = new if new is not None else project_contract()
    sys.exit(
        run_pull_request(
            PullRequestOptions(
                old=old,
                new=contract,
                policy=policy or project_policy(contract),
                fail_on=fail_on,
                formats=formats,
                site_before=site_before,
                site_after=site_after,
                pages_output=pages_output,
                is_dry_run=dry_run,
                today=today,
                allow_outside_references=allow_outside_references
                or project_allows_outside_references(contract),
            )
        )
    )
