"""Starts a mock from the options of the command: the composition root of the package."""

from base64 import b64encode
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click

from devportal.contract import Api
from devportal.contract.validate.json_schema import Reading
from devportal.contract.validate.validator import Validator
from devportal.differ.witnesses.validation import FORMAT_RULES
from devportal.errors import InvalidContract, InvalidSettings, Place
from devportal.listening import listen_tcp, socket_url
from devportal.mock.application import MockApplication
from devportal.mock.clock import MockClock, start_state
from devportal.mock.events.delivery import DeliverySender
from devportal.mock.events.delivery_writer import signature_header_names
from devportal.mock.events.events import Events
from devportal.mock.http.credentials import Grant, new_token
from devportal.mock.http.routing import main_base_path
from devportal.mock.mock import Mock
from devportal.mock.operations.records import STANDARD_SECRET
from devportal.mock.resources.planner import make_plan
from devportal.mock.resources.resource_names import with_resource_names
from devportal.mock.resources.store import State, StateFile
from devportal.mock.server import serve
from devportal.mock.startup import (
    limit_lines,
    resource_lines,
    sample_call,
    schema_lines,
    scheme_lines,
    signature_lines,
)
from devportal.project.named_contract import load_named_contract
from devportal.project.site_url import is_web_address
from devportal.reporting.printable import count_noun
from devportal.serving.receivers import Reach

_MOST_LINES = 8
"""How many limits are listed without --verbose; of more, how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MockOptions:
    """The options of a start."""

    contract: Path
    host: str = "127.0.0.1"
    port: int = 0
    database: Path | None = None
    seed: int = 1
    token: str | None = None
    limited_scopes: tuple[str, ...] = ()
    webhook_urls: tuple[str, ...] = ()
    webhook_secret: str | None = None
    sends_to_other_machines: bool = False
    allow_outside_references: bool = False
    clock: str = "1x"
    step_s: float = 1.0
    is_verbose: bool = False

    def grants(self) -> tuple[Grant, ...]:
        """Return the tokens that the mock accepts."""
        full = Grant(token=self.token or new_token(self.seed))
        limited = (
            Grant(token=new_token(self.seed, scopes), scopes=frozenset(scopes.split()))
            for scopes in self.limited_scopes
        )
        return (full, *limited)


def make_mock(api: Api, *, seed: int = 1, grants: tuple[Grant, ...] = ()) -> Mock:
    """Return a mock of a contract."""
    api = with_resource_names(api)
    return Mock(
        make_plan(api),
        Validator(api, reading=Reading(format_rules=FORMAT_RULES, follows_parents=True)),
        seed=seed,
        grants=grants,
    )


def run_mock(options: MockOptions) -> None:
    """Serve a mock until Ctrl-C. Raises a PortalError if it cannot start."""
    for url in options.webhook_urls:
        if not is_web_address(url):
            raise InvalidSettings(
                f"--webhook-url: {url!r} is not a URL that webhooks can be sent to",
                help="give one that begins with http:// or https://, such as http://127.0.0.1:8000/hooks",
            )
    api = load_named_contract(options.contract, allow_outside_references=options.allow_outside_references).api
    if not api.operations:
        raise InvalidContract(
            "the contract has no operations to serve",
            place=Place(file=str(options.contract)),
            help="add a path with an operation",
        )
    grants = options.grants()
    mock = make_mock(api, seed=options.seed, grants=grants)
    state = StateFile(options.database) if options.database is not None else State()
    with closing(state), closing(listen_tcp(options.host, options.port)) as listener:
        clock = MockClock(_real_time, start_state(options.clock, state.clock, _real_time()))
        state.set_clock(clock.state)
        log = _say if options.is_verbose else None
        secret = options.webhook_secret or new_signing_secret(api, options.seed)
        events = Events(mock, options.webhook_urls, secret)
        reach = Reach.ANY if options.sends_to_other_machines else Reach.LOCAL
        sender = DeliverySender(events, state, reach=reach, log=log)
        application = MockApplication(mock, state, clock, reporter=sender, log=log, step_s=options.step_s)
        sender.on_attempt = application.log_attempt
        url = socket_url(listener)

        def announce() -> None:
            _say(f"Sandbox: {url}{main_base_path(api)}")
            _print_start(mock, options, grants, url, secret)

        with closing(sender):
            serve(application, listener, announce)


def new_signing_secret(api: Api, seed: int) -> str:
    """Return a secret of webhooks and callbacks, in the form of Standard Webhooks 1.0.0 if the contract has the header
    of these.
    """
    token = new_token(seed, "webhooks")
    is_standard = "webhook-signature" in map(str.lower, signature_header_names(api))
    return f"{STANDARD_SECRET}{b64encode(token.encode()).decode()}" if is_standard else token


def _real_time() -> datetime:
    return datetime.now(UTC)


def _print_start(mock: Mock, options: MockOptions, grants: tuple[Grant, ...], url: str, secret: str) -> None:
    api = mock.plan.api
    resources, limits = list(resource_lines(mock.plan)), list(limit_lines(mock.plan))
    limits += schema_lines(mock.plan, mock.representations)
    _say(
        f"Mock of {api.title} {api.version} ({options.contract}), {count_noun(len(api.operations), 'operation')}"
    )
    if resources:
        _say("Resources:")
        _say("\n".join(resources))
    if limits:
        shown = limits if options.is_verbose or len(limits) <= _MOST_LINES else limits[:_MOST_LINES]
        _say("Limits:")
        _say("\n".join(shown))
        if len(shown) < len(limits):
            _say(f"  … and {len(limits) - len(shown)} more (--verbose lists all)")
    schemes = list(scheme_lines(api, grants))
    if schemes:
        _say("Credentials:")
        _say("\n".join(schemes))
    signatures = list(signature_lines(api, secret))
    if signatures:
        _say("Signatures of webhooks and callbacks:")
        _say("\n".join(signatures))
    for grant in grants[1:]:
        _say(f"  with the scopes {' '.join(sorted(grant.scopes or ()))} alone: {grant.token}")
    _say(f"Try it: {sample_call(api, url, main_base_path(api), grants)}")
    _say("Press Ctrl-C to stop.")


def _say(text: str) -> None:
    """Print a line: on standard error, since a mock has no result."""
    click.echo(text, err=True)
