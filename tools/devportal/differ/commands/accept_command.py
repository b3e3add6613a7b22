"""`devportal accept`: its arguments and options."""

import datetime as dt
import sys
from pathlib import Path

import click

from devportal.command_line import ALLOW_OUTSIDE_REFERENCES_OPTION, Day
from devportal.differ.commands.options import NEW_OPTION, old_option, today_option


@click.command()
@click.argument(
    "fingerprints",
    nargs=-1,
    required=True,
    metavar="FINGERPRINT...",
    help="The changes to accept: each fingerprint is in the output of devportal diff and in the pull request.",
)
@click.option("--reason", metavar="TEXT", required=True, help="Why the changes are accepted.")
@click.option(
    "--until",
    type=Day(),
    metavar="YYYY-MM-DD",
    show_default="no end",
    help="The last day on which they are accepted. Afterwards they count as not reviewed.",
)
@old_option(default="NEW where HEAD left the default branch")
@NEW_OPTION
@click.option(
    "--policy",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    show_default="that of mkdocs.yml, or diff-policy.yaml",
    help="The policy file to write to. It is made if it does not exist.",
)
@today_option("The day of the review.")
@ALLOW_OUTSIDE_REFERENCES_OPTION
@click.option("--commit", is_flag=True, help="Also commit the policy file, and nothing else, with git.")
def accept(
    *,
    fingerprints: tuple[str, ...],
    reason: str,
    until: dt.date | None,
    old: str | None,
    new: str | None,
    policy: Path | None,
    today: dt.date,
    allow_outside_references: bool,
    commit: bool,
) -> None:
    """Accept reviewed changes of a contract: write them into the policy, with the reason.

    Accepted changes are still reported, and no longer fail devportal diff and devportal pull-request.
    """
    from devportal.differ.commands.accept import AcceptOptions, run_accept  # noqa: PLC0415 - keeps --help fast
    from devportal.differ.commands.project_inputs import (  # noqa: PLC0415
        DEFAULT_POLICY,
        existing_project_contract,
        project_allows_outside_references,
        project_policy,
    )

    contract = new if new is not None else existing_project_contract()
    sys.exit(
        run_accept(
            AcceptOptions(
                fingerprints=fingerprints,
                reason=reason,
                until=until,
                old=old,
                new=contract,
                policy=policy or project_policy(contract) or DEFAULT_POLICY,
                today=today,
                allow_outside_references=allow_outside_references
                or project_allows_outside_references(contract),
                commit=commit,
            )
        )
    )
