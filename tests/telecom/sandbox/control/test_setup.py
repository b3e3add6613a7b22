"""What a start says of clock and control, and whole runs in processes of their own."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from tests.telecom.sandbox.tokens.test_command import Running, receiver, running
from tests.waiting import PATIENCE_S, wait_until

from devportal.cli import cli
from devportal.errors import InvalidSettings
from telecom.sandbox.clock import ClockOptions
from telecom.sandbox.control import SCOPE
from telecom.sandbox.control.setup import PREFIX, ControlSetup, control_setup
from telecom.sandbox.tokens.tokens import Grant, Token

__all__ = ["receiver"]
CONTROL = "token-of-the-control"


def set_up(**given: Any) -> ControlSetup:
    plain = {"clock": "real", "clock_start": None, "control_token": None, "no_control": False}
    return control_setup(lambda length: bytes(range(length)), **{**plain, **given})


def test_control_has_a_token_of_its_own() -> None:
    """It is made and shown unless it is given, and has the one scope that nothing else has."""
    made, given = set_up(), set_up(control_token=CONTROL)

    assert made.token is not None
    assert given.token is not None
    assert made.token.text.startswith(PREFIX)
    assert made.token.grant.scopes == given.token.grant.scopes == {SCOPE}
    assert [*made.startup_lines()] == [f"Control:  {made.token.text}  (clock and reset, below /_sandbox/)"]
    assert [*given.startup_lines()] == ["Control:  as configured  (clock and reset, below /_sandbox/)"]


def test_control_can_be_left_out() -> None:
    """Then there is no token either, and none may be given."""
    assert set_up(no_control=True) == ControlSetup(clock=ClockOptions())
    assert [*set_up(no_control=True).startup_lines()] == []
    with pytest.raises(InvalidSettings, match="no control"):
        set_up(no_control=True, control_token=CONTROL)


@pytest.mark.parametrize(
    ("clock", "line"),
    [
        ("60x", "Clock:    60 times as fast as real time"),
        ("manual", "Clock:    only moves when it is advanced"),
    ],
)
def test_a_clock_is_told_that_is_not_real(clock: str, line: str) -> None:
    """So that nobody wonders about the times."""
    assert next(iter(set_up(clock=clock).startup_lines())) == line


@pytest.mark.parametrize("token", ["short", "with space", f"{CONTROL}=messages:read", ""])
def test_other_tokens_are_refused(token: str) -> None:
    """Scopes cannot be chosen; the message names the option, and has no token in it."""
    with pytest.raises(InvalidSettings) as refused:
        set_up(control_token=token)

    assert CONTROL not in str(refused.value)
    assert refused.value.message.startswith("--control-token: ")
    assert refused.value.help == "give the token alone, without scopes"


def test_no_token_of_the_api_is_that_of_control() -> None:
    """Of two with one text, one would be lost."""
    other = Token(text=CONTROL, grant=Grant(account="ada", scopes=frozenset()))
    setup = set_up(control_token=CONTROL)

    assert len(setup.with_control_token(())) == 1
    with pytest.raises(InvalidSettings, match="that of control as well"):
        setup.with_control_token((other,))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--clock", "fast"], "there is no clock 'fast'"),
        (["--clock-start", "2026-01-01T00:00:00Z"], "real time cannot begin at"),
        (["--clock", "manual", "--clock-start", "yesterday"], "the time cannot begin at 'yesterday'"),
        (["--no-control", "--control-token", CONTROL], "no control"),
    ],
)
def test_command_refuses_what_it_cannot_do(options: list[str], said: str, contract_path: Path) -> None:
    """Before it listens anywhere."""
    result = CliRunner().invoke(cli, ["sandbox", "--contract", str(contract_path), *options])

    assert result.exit_code == 2
    assert said in result.output


def control(server: Running, path: str, body: Any = None) -> Any:
    """Ask the control API for something."""
    headers = {"Authorization": f"Bearer {CONTROL}"}
    method = "GET" if body is None else "POST"
    url = f"{server.address}/_sandbox{path}"
    answer = httpx.request(method, url, json=body, headers=headers, trust_env=False, timeout=PATIENCE_S)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def run_sandbox(address: str | Path, contract_path: Path, receiver: Any) -> Callable[..., Any]:
    """Return a function that runs a sandbox with further options, on one database."""
    url, _ = receiver
    options = ("--contract", contract_path, "--database", address, "--webhook-url", url)
    return lambda *more: running(*options, "--control-token", CONTROL, *more)


@pytest.mark.deep
def test_whole_run_by_hand(run_sandbox: Callable[..., Any], receiver: Any) -> None:
    """Nothing happens until it is told to, and a start after a violent death goes on at the same time."""
    _, came = receiver
    manual = ("--clock", "manual", "--clock-start", "2026-01-01T00:00:00Z")
    with run_sandbox(*manual) as server:
        assert server.send().status_code == 202
        before = control(server, "/clock")
        first = control(server, "/clock/advance", {"to_next": "webhook"})
        server.process.kill()
        server.process.wait(timeout=PATIENCE_S)
    with run_sandbox(*manual) as server:
        again = control(server, "/clock")
        second = control(server, "/clock/advance", {"to_next": "webhook"})
    with run_sandbox("--clock", "real") as server:
        late = control(server, "/clock")

    assert before["now"] == "2026-01-01T00:00:00.000Z"
    assert before["next_due_at"] == "2026-01-01T00:00:00.500Z"
    assert first["clock"]["now"] == again["now"] == "2026-01-01T00:00:01.000Z"
    assert datetime.fromisoformat(second["clock"]["now"]) >= datetime.fromisoformat(again["next_due_at"])
    assert second["happened"]["webhook"] == 1
    assert len(came) == 2
    assert late["mode"] == "real"
    assert late["now"] > "2026-01-02"


def test_whole_run_in_a_hurry(run_sandbox: Callable[..., Any], receiver: Any) -> None:
    """The pause of five seconds after the first attempt takes five thousandths of a second."""
    _, came = receiver
    with run_sandbox("--clock", "1000x", "--clock-start", "2026-01-01T00:00:00Z") as server:
        assert server.send().status_code == 202
        wait_until(lambda: len(came) == 2)
        now = control(server, "/clock")["now"]

    assert now < "2026-01-02", "a thousand times as fast, and no more"
    assert (
        datetime.fromisoformat(now).timestamp() > datetime.fromisoformat("2026-01-01T00:00:06Z").timestamp()
    )
