"""Waiting for what a deployment does later: real time, or that of a sandbox whose clock is moved."""

import json
import os
from collections.abc import Callable, Iterator, Mapping

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.family import Send
from devportal.conformance.knowledge.subject import Subject
from devportal.errors import DeploymentError, InvalidSettings
from telecom.conformance.settings import PLUGIN, ClockRequest, settings_of

DEFAULT_WAIT_S = 20.0
"""How long a check waits for a sandbox: its slowest number takes ten seconds."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 0.8
PLACE = f"plugins.{PLUGIN}.clock"


def wait_until(
    subject: Subject, send: Send, is_there: Callable[[], bool], within_s: float = DEFAULT_WAIT_S
) -> bool:
    """Look until something is there, or for so many seconds; say whether it is.

    Where the settings say how the time of the deployment is moved, it is moved before each look. Raises
    DeploymentError where that is refused, InvalidSettings where its token is missing.
    """
    clock = settings_of(subject).clock
    if is_there():
        return True
    for pause_s in _pauses_s(within_s):
        if clock is not None:
            advance_clock(subject, clock)
        send.wait(pause_s)
        if is_there():
            return True
    return False


def advance_clock(subject: Subject, clock: ClockRequest, environment: Mapping[str, str] = os.environ) -> None:
    """Have time pass on the deployment.

    The request is no part of the API that is tested: it goes past the log of the run, and so does its token.
    """
    token = environment.get(clock.variable, "").strip() if clock.variable else ""
    if clock.variable and not token:
        raise InvalidSettings(
            f"{PLACE}: the environment variable {clock.variable} is empty", help="set it, or take it out"
        )
    request = Request(
        method=clock.method,
        url=clock.url if "://" in clock.url else subject.base_url + clock.url,
        headers=(
            ("Content-Type", "application/json"),
            *((("Authorization", f"Bearer {token}"),) if token else ()),
        ),
        body=json.dumps(clock.body).encode() if clock.body is not None else None,
    )
    with Deployment(RequestPolicy(), mask=Mask.of_secret(token)) as deployment:
        exchange = deployment.send(request)
    if exchange.answer is None or not exchange.answer.is_success:
        raise DeploymentError(
            f"{PLACE}: {clock.method} {clock.url} gets {exchange.status or 'no answer'}, and moves no clock",
            help="is the token that of the control API, and was the deployment started with a clock by hand?",
        )


def _pauses_s(within_s: float) -> Iterator[float]:
    """Yield pauses that grow, of so many seconds together."""
    pause_s, left_s = FIRST_PAUSE_S, within_s
    while left_s > 0:
        yield min(pause_s, left_s)
        left_s -= pause_s
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
