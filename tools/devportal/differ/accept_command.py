"""`devportal accept`: its arguments and options."""

import datetime as dt
import sys
from pathlib import Path

import click

from devportal.differ.command import ALLOW_OUTSIDE_REFERENCES, Day

NEW_CONTRACT = click.option(
    "--new",
    metavar="NEW",
    show_default="that of mkdocs.yml, or openapi.yaml",
    help="The contract that takes its place.",
)


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
@click.option(
    "--old",
    metavar="OLD",
    show_default="NEW where HEAD left the default branch",
    help="The contract that clients have: FILE or REVISION:PATH.",
)
@NEW_CONTRACT
@click.option(
    "--policy",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    show_default="that of mkdocs.yml, or diff-policy.yaml",
    help="The policy file to write to. It is made if it does not exist.",
)
@click.option(
    "--today",
    type=Day(),
    metavar="YYYY-MM-DD",
    show_default="the present day, UTC",
    help="The day of the review.",
)
@ALLOW_OUTSIDE_REFERENCES
@click.option("--commit", is_flag=True, help="Also commit the policy file, and nothing else, with git.")
def accept(
    *,
    fingerprints: tuple[str, ...],
    reason: str,
    until: dt.date | None,
    old: str | None,
    new: str | None,
    policy: Path | None,
    today: dt.date | None,
    allow_outside_references: bool,
    commit: bool,
) -> None:
    """Accept reviewed changes of a contract: write them into the policy, with the reason.

    Accepted changes are still reported, and no longer fail devportal diff and devportal pull-request.
    """
    from devportal.differ.accept import AcceptOptions, run_accept  # noqa: PLC0415 - keeps --help fast
    from devportal.differ.project_inputs import (  # noqa: PLC0415
        DEFAULT_POLICY,
        existing_project_contract,
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
                today=today if today is not None else dt.datetime.now(dt.UTC).date(),
                allow_outside_references=allow_outside_references,
                commit=commit,
            )
        )
    )
