"""`devportal sandbox`: the command that starts the sandbox and says how to talk to it."""

import secrets
import socket
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import click

from devportal.catalog import Catalog, load_catalog
from devportal.contract import Api, load_contract
from devportal.errors import EnvironmentProblem, InvalidContract, InvalidSettings
from devportal.findings import Level
from devportal.garbage import no_search_for_garbage
from devportal.option_types import Number, WholeNumber
from devportal.review.lock import reading
from telecom.sandbox.app import SandboxSettings
from telecom.sandbox.database import Database, claimed
from telecom.sandbox.limits import RateLimit
from telecom.sandbox.pacing import Throughput
from telecom.sandbox.processes import run_all
from telecom.sandbox.receiver import parse_receiver, why_forbidden
from telecom.sandbox.retries import STANDARD
from telecom.sandbox.running import log_to_stderr, prepared
from telecom.sandbox.subscription import Subscription
from telecom.sandbox.tokens import Grant, Token, new_token, parse_token
from telecom.signature import Secret

ACCOUNT = "sandbox"
_RECEIPT_AFTER_S = 1.0
_SECRETS_OF_A_ROTATION = 2


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port", default=8080, show_default=True, type=WholeNumber(0, 65535), help="Port; 0 takes a free one."
)
@click.option(
    "--contract",
    "contract_path",
    default="openapi/openapi.yaml",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The OpenAPI file that is served.",
)
@click.option(
    "--records",
    "records_path",
    default="data",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The folder of rate and coverage records; without it there are none.",
)
@click.option(
    "--database",
    default="var/sandbox.sqlite3",
    show_default=True,
    envvar="DEVPORTAL_SANDBOX_DATABASE",
    help="Where messages and events are kept: a SQLite file, made where it is missing, or a PostgreSQL "
    "database as postgresql://USER@HOST/NAME.  [env: DEVPORTAL_SANDBOX_DATABASE]",
)
@click.option(
    "--token",
    "token_texts",
    multiple=True,
    envvar="DEVPORTAL_SANDBOX_TOKEN",
    help="A token that is valid, as TOKEN (all scopes) or TOKEN=SCOPE,SCOPE; repeatable. "
    "Without it a new one is made and shown.  [env: DEVPORTAL_SANDBOX_TOKEN]",
)
@click.option("--webhook-url", help="Where delivery receipts are sent.")
@click.option(
    "--webhook-secret",
    "secret_texts",
    multiple=True,
    envvar="DEVPORTAL_WEBHOOK_SECRET",
    help="The secret that they are signed with (whsec_…); twice for a rotation, the new one first. "
    "Without it a new one is made and shown.  [env: DEVPORTAL_WEBHOOK_SECRET]",
)
@click.option(
    "--public-webhooks",
    is_flag=True,
    help="Let webhooks go to public addresses, not only to this machine.",
)
@click.option(
    "--time-scale",
    default=1.0,
    show_default=True,
    type=Number(0, 10),
    help="Multiplies the pauses before receipts and between attempts; 0.01 is good for tests.",
)
@click.option(
    "--rate-limit",
    default=6000,
    show_default=True,
    type=WholeNumber(1, 999_999_999),
    help="Requests per minute, account and API (tag); more are answered with 429.",
)
@click.option(
    "--messages-per-second",
    default=1000,
    show_default=True,
    type=WholeNumber(1, 999_999),
    help="Segments per second and account that leave the queue; production begins with 10.",
)
@click.option(
    "--calls-per-second",
    default=100,
    show_default=True,
    type=WholeNumber(1, 999_999),
    help="Calls per second and account; more are answered with 429. Production begins with 1.",
)
def sandbox(
    *,
    host: str,
    port: int,
    contract_path: Path,
    records_path: Path,
    database: str,
    token_texts: tuple[str, ...],
    webhook_url: str | None,
    secret_texts: tuple[str, ...],
    public_webhooks: bool,
    time_scale: float,
    rate_limit: int,
    messages_per_second: int,
    calls_per_second: int,
) -> None:
    """Start a sandbox of the API: it keeps the contract, and sends nothing to any carrier."""
    api = _api(contract_path)
    tokens = _tokens(api, token_texts)
    subscription = _subscription(webhook_url, secret_texts, public=public_webhooks)
    settings = SandboxSettings(
        tokens=tokens,
        subscription=subscription,
        public_webhooks=public_webhooks,
        schedule=replace(STANDARD, scale=time_scale),
        rate_limit=RateLimit(quota=rate_limit),
        throughput=Throughput(messages_per_s=messages_per_second, calls_per_s=calls_per_second),
        settles_after=timedelta(seconds=_RECEIPT_AFTER_S * time_scale),
        catalog=_catalog(records_path),
    )
    with (
        closing(_listen(host, port)) as listener,
        claimed(database),
        closing(Database.open(database)) as opened,
    ):
        parts = prepared(api, opened, settings, listener)
        _introduce(listener, tokens, _scopes(api), subscription, token_texts, secret_texts)
        log_to_stderr()
        run_all(parts)


@no_search_for_garbage()
def _api(path: Path) -> Api:
    """Return the contract's model; raises InvalidContract where something in it is broken."""
    contract = load_contract(path)
    errors = [finding for finding in contract.findings if finding.level is Level.ERROR]
    if errors:
        raise InvalidContract(
            errors[0].message,
            place=errors[0].place,
            help=f"run devportal check; the contract has {len(errors)} errors",
        )
    return contract.api


@no_search_for_garbage()
def _catalog(folder: Path) -> Catalog:
    """Return the records of a folder, none where there is no such folder; say how many cannot be read."""
    if not folder.is_dir():
        return Catalog()
    with reading(folder):
        catalog, findings = load_catalog(folder, name=folder.name)
    if findings:
        click.echo(f"Records:  {len(findings)} findings in {folder.name}; run devportal check", err=True)
    return catalog


def _scopes(api: Api) -> frozenset[str]:
    return frozenset(name for scheme in api.security_schemes for name, _ in scheme.scopes)


def _tokens(api: Api, texts: tuple[str, ...]) -> tuple[Token, ...]:
    scopes = _scopes(api)
    if texts:
        return tuple(parse_token(text, account=ACCOUNT, known_scopes=scopes) for text in texts)
    return (new_token(Grant(account=ACCOUNT, scopes=scopes), secrets.token_bytes),)


def _subscription(url: str | None, texts: tuple[str, ...], *, public: bool) -> Subscription | None:
    signing = tuple(Secret.parse(text) for text in texts) or (Secret(secrets.token_bytes(32)),)
    if len(signing) > _SECRETS_OF_A_ROTATION:
        raise InvalidSettings(
            f"there are {len(signing)} webhook secrets",
            help="give --webhook-secret once, or twice for a rotation: the new one first",
        )
    if url is None:
        return None
    return Subscription(account=ACCOUNT, url=_receiver(url, public=public), secrets=signing)


def _receiver(url: str, *, public: bool) -> str:
    """Return the address that webhooks go to; raises InvalidSettings for one that each delivery would refuse,
    as the API does where an endpoint is made.
    """
    address = parse_receiver(url, public=public).url
    if (reason := why_forbidden(address, public=public)) is not None:
        here = "give one of this machine, such as http://127.0.0.1:9000/"
        more = "" if public else "; with --public-webhooks one on the public internet may be given too"
        raise InvalidSettings(reason, help=here + more)
    return address


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raises EnvironmentProblem where the machine refuses."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise EnvironmentProblem(
            f"there is no address {host!r} to listen at: {error}", help="give another with --host"
        ) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise EnvironmentProblem(
            f"{host}:{port} cannot be listened at: {error.strerror or error}",
            help="end the program that uses the port, or give another with --port (0 takes a free one)",
        ) from error
    return listener


def _introduce(
    listener: socket.socket,
    tokens: tuple[Token, ...],
    scopes: frozenset[str],
    subscription: Subscription | None,
    token_texts: tuple[str, ...],
    secret_texts: tuple[str, ...],
) -> None:
    """Say where the sandbox is and, of secrets, only those that were made just now."""
    click.echo(f"Sandbox:  {_address(listener)}", err=True)
    for token in tokens:
        shown = "as configured" if token_texts else token.text
        click.echo(f"Token:    {shown}  (scopes: {_granted(token, scopes)})", err=True)
    if subscription is None:
        click.echo("Webhooks: none; give --webhook-url to receive delivery receipts", err=True)
        return
    click.echo(f"Webhooks: {subscription.url}", err=True)
    shown = "as configured" if secret_texts else subscription.secrets[0].reveal()
    click.echo(f"Secret:   {shown}", err=True)


def _granted(token: Token, scopes: frozenset[str]) -> str:
    """Return the scopes of a token on a line that fits: most tokens have them all."""
    if token.grant.scopes == scopes:
        return f"all {len(scopes)}" if scopes else "none"
    return " ".join(sorted(token.grant.scopes)) or "none"


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
