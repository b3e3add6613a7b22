"""`devportal conformance`: the command line around a run. What is slow to import is imported when it runs."""

import sys
from pathlib import Path

import click

from devportal.option_types import Number, WholeNumber

_file = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("url")
@click.option(
    "--contract",
    type=click.Path(path_type=Path),
    default=Path("openapi/openapi.yaml"),
    show_default=True,
    metavar="FILE",
    help="The OpenAPI file that the deployment must keep.",
)
@click.option(
    "--token",
    envvar="DEVPORTAL_TOKEN",
    default="",
    metavar="SECRET",
    help="The API token or key; for HTTP Basic 'user:password'. Better in the environment variable "
    "DEVPORTAL_TOKEN, where no process list shows it. Never printed.",
)
@click.option(
    "--profile",
    type=click.Choice(["quick", "full"]),
    default="quick",
    show_default=True,
    help="quick: examples, boundaries, short fuzzing. full: long fuzzing and sequences too.",
)
@click.option(
    "--stability",
    type=click.Choice(["stable", "beta", "all"]),
    default="stable",
    show_default=True,
    help="Operations of which stability can fail the run. All are tested and reported.",
)
@click.option("--seed", type=WholeNumber(min=0), default=1, show_default=True, help="Same seed, same cases.")
@click.option(
    "--timeout",
    type=Number(min=0.1),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for one answer.",
)
@click.option(
    "--max-time",
    type=WholeNumber(min=10),
    default=1800,
    show_default=True,
    metavar="SECONDS",
    help="End a run that takes longer, without a verdict.",
)
@click.option("--junit", type=_file, metavar="FILE", help="Write a JUnit XML report.")
@click.option("--json", "json_file", type=_file, metavar="FILE", help="Write the whole result as JSON.")
def conformance(
    *,
    url: str,
    contract: Path,
    token: str,
    profile: str,
    stability: str,
    seed: int,
    timeout: float,
    max_time: int,
    junit: Path | None,
    json_file: Path | None,
) -> None:
    """Tell whether the deployment at URL keeps the contract.

    It sends requests that create resources: give it a sandbox or a test account. Exits with 0 where the
    contract is kept, 1 where it is broken, 2 where the run could not tell.
    """
    from devportal.conformance.execute import Asked, execute  # noqa: PLC0415 - slow to import

    asked = Asked(
        url=url,
        contract=contract,
        token=token,
        profile=profile,
        stability=stability,
        seed=seed,
        timeout_s=timeout,
        max_time_s=max_time,
        junit=junit,
        json=json_file,
    )
    sys.exit(execute(asked))
