"""Setup of the clock and of the control API: the contract, the token."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass

from devportal.contract import Api
from devportal.errors import InvalidSettings
from devportal.serving.clock import ClockMode
from telecom.sandbox.api.identifiers import RandomBytes
from telecom.sandbox.clock import ClockOptions, parse_clock
from telecom.sandbox.control import CONTRACT, SCOPE
from telecom.sandbox.sources import read_api
from telecom.sandbox.tokens.tokens import DEFAULT_ACCOUNT, Grant, Token, parse_token

PREFIX = "ck_sandbox_"


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlSetup:
    """The clock options, and the control API with its token; None if there is none."""

    clock: ClockOptions
    contract: Api | None = None
    token: Token | None = None
    is_new: bool = False
    """Whether the token is new, and was not given."""

    def with_control_token(self, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
        """Return the tokens with that of control added; raises InvalidSettings if one of them is the same."""
        if self.token is None:
            return tokens
        if self.token.text in {token.text for token in tokens}:
            raise InvalidSettings(
                "a token for the simulated API is that of control as well",
                help="give another with --control-token: customers must not have it",
            )
        return (*tokens, self.token)

    def startup_lines(self) -> Iterator[str]:
        """Yield the lines to print at the start; a token only if it is new."""
        match self.clock.mode:
            case ClockMode.REAL:
                pass
            case ClockMode.RUNNING:
                yield f"Clock:    {self.clock.speed:g} times as fast as real time"
            case ClockMode.MANUAL:
                yield "Clock:    only moves when it is advanced"
        if self.token is not None:
            text = self.token.text if self.is_new else "as configured"
            yield f"Control:  {text}  (clock and reset, below /_sandbox/)"


def control_setup(
    random_bytes: RandomBytes,
    *,
    clock: str,
    clock_start: str | None,
    control_token: str | None,
    no_control: bool,
) -> ControlSetup:
    """Return the setup of the options; raises InvalidSettings."""
    clock_options = parse_clock(clock, clock_start)
    if no_control:
        if control_token is not None:
            raise InvalidSettings(
                "there is a token for control, and no control",
                help="leave out --no-control or --control-token (DEVPORTAL_SANDBOX_CONTROL_TOKEN)",
            )
        return ControlSetup(clock=clock_options)
    return ControlSetup(
        clock=clock_options,
        contract=read_api(CONTRACT),
        token=_parse_control_token(control_token)
        if control_token is not None
        else _new_control_token(random_bytes),
        is_new=control_token is None,
    )


def _parse_control_token(text: str) -> Token:
    """Return the given token; raises InvalidSettings, without the token in its message."""
    try:
        return parse_token(f"{text}={SCOPE}", account=DEFAULT_ACCOUNT, known_scopes=frozenset({SCOPE}))
    except InvalidSettings as error:
        raise InvalidSettings(
            f"--control-token: {error.message}", help="give the token alone, without scopes"
        ) from None


def _new_control_token(random_bytes: RandomBytes) -> Token:
    """Return a new token, whose prefix differs from those for the simulated API."""
    text = PREFIX + base64.b32encode(random_bytes(30)).decode("ascii").lower()
    return Token(text=text, grant=Grant(account=DEFAULT_ACCOUNT, scopes=frozenset({SCOPE})))
