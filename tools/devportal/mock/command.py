"""`devportal mock`: the options of the command. Slow imports wait until it runs."""

from pathlib import Path

import click

from devportal.command_line import (
    ALLOW_OUTSIDE_REFERENCES_OPTION,
    ContractCommand,
    ContractFile,
    Number,
    WholeNumber,
)


@click.command(cls=ContractCommand)
@click.option(
    "--contract",
    type=ContractFile(),
    help="The OpenAPI file to serve. Default: the contract of mkdocs.yml, else openapi/openapi.yaml.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=WholeNumber(0, 65535), default=0, help="The port to listen on. Default: a free one."
)
@click.option(
    "--database",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep the state in this SQLite file. Without it, the state ends with the command.",
)
@click.option(
    "--seed",
    type=WholeNumber(min=0),
    default=1,
    show_default=True,
    help="Seed of identifiers and of the token: the same seed gives the same ones.",
)
@click.option("--token", metavar="TEXT", help="The token to accept. Default: one made from the seed.")
@click.option(
    "--limited-token",
    "limited_scopes",
    multiple=True,
    metavar="SCOPES",
    help="Also accept a token with these scopes alone, separated by spaces. Can be repeated.",
)
@click.option(
    "--webhook-url",
    "webhook_urls",
    multiple=True,
    metavar="URL",
    help="Send all webhooks of the contract to this URL. Can be repeated. Receivers that requests subscribe, and "
    "callbacks, need no option.",
)
@click.option(
    "--webhook-secret",
    metavar="TEXT",
    help="The secret that signs webhooks and callbacks, if the contract documents a signature and the receiver has no "
    "other secret. Default: one made from the seed, which the start shows.",
)
@click.option(
    "--deliver-anywhere",
    is_flag=True,
    help="Send callbacks and webhooks to other machines too. Without it, only to this one.",
)
@click.option(
    "--clock",
    metavar="SPEED",
    default="1x",
    show_default=True,
    help="How the clock runs: as many times faster as 60x says, or 'manual', which stops it until it is moved.",
)
@click.option(
    "--step",
    "step_s",
    type=Number(min=0, max=86_400),
    metavar="SECONDS",
    default=1.0,
    show_default=True,
    help="After how many seconds a state goes on by itself, where x-state-machine has a step that no operation "
    "leads to. 0: never.",
)
@ALLOW_OUTSIDE_REFERENCES_OPTION
@click.option("--verbose", "-v", is_flag=True, help="Print each operation's limits, and each request.")
def mock(
    *,
    contract: Path | None,
    host: str,
    port: int,
    database: Path | None,
    seed: int,
    token: str | None,
    limited_scopes: tuple[str, ...],
    webhook_urls: tuple[str, ...],
    webhook_secret: str | None,
    deliver_anywhere: bool,
    clock: str,
    step_s: float,
    allow_outside_references: bool,
    verbose: bool,
) -> None:
    """Start a mock of any contract that remembers: what you create can be read, listed, changed and deleted.

    It validates requests, pages and filters lists, follows state machines and sends webhooks, until Ctrl-C.
    """
    from devportal.extras import Extra, require_extra  # noqa: PLC0415 - keeps --help fast

    require_extra(Extra.MOCK, needed_by="devportal mock")
    from devportal.mock.run import MockOptions, run_mock  # noqa: PLC0415 - keeps --help fast
    from devportal.project.settings_file import contract_here  # noqa: PLC0415 - slow to import

    run_mock(
        MockOptions(
            contract=contract_here(contract),
            host=host,
            port=port,
            database=database,
            seed=seed,
            token=token,
            limited_scopes=limited_scopes,
            webhook_urls=webhook_urls,
            webhook_secret=webhook_secret,
            sends_to_other_machines=deliver_anywhere,
            clock=clock,
            step_s=step_s,
            allow_outside_references=allow_outside_references,
            is_verbose=verbose,
        )
    )
