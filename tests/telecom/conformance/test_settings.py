"""The settings of this plug-in in those of a run: what they mean, and how their faults are told."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.conformance.running import subject_of

from devportal.conformance.settings import parse_settings
from devportal.documents import parse_document
from devportal.errors import InvalidSettings
from telecom.compliance import OPTED_OUT_NUMBERS, REGISTERED_ROUTES
from telecom.conformance.settings import PLUGIN, ClockRequest, TelecomSettings, missing_sandbox, settings_of


def settings_error(text: str) -> str:
    """Return the error of settings that cannot be used."""
    with pytest.raises(InvalidSettings) as caught:
        parse_settings(parse_document(text, name="conformance.yaml"), folder=Path())
    return str(caught.value)


def test_a_misspelt_setting_is_told_with_its_line_and_a_better_one() -> None:
    """A check that is switched on with a wrong word would silently be left out."""
    said = settings_error("site: https://a.example/\nplugins:\n  devportal-telecom:\n    is_sandox: true\n")

    assert "conformance.yaml:4:" in said
    assert "'is_sandox'" in said
    assert "is_sandbox" in said.partition("help:")[2]


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("is_sandbox: 'yes'", "plugins.devportal-telecom.is_sandbox"),
        ("messages_per_second: 0", "plugins.devportal-telecom.messages_per_second"),
        ("opted_out: ['0044 20']", "plugins.devportal-telecom.opted_out.0"),
        ("clock: {method: POST}", "'url' is missing"),
        ("clock: {url: advance}", "plugins.devportal-telecom.clock.url"),
    ],
)
def test_a_value_that_cannot_be_used_is_told(line: str, place: str) -> None:
    """What stands there, and where, is said before anything is sent."""
    assert place in settings_error(f"plugins:\n  devportal-telecom:\n    {line}\n")


def test_nothing_is_known_of_a_deployment_that_nobody_declares() -> None:
    """Without a section no number stands for an outcome, and no quota may be used up."""
    assert settings_of(subject_of()) == TelecomSettings()
    assert "is_sandbox" in missing_sandbox(subject_of())


def test_a_sandbox_has_the_numbers_of_the_guide_unless_others_are_given() -> None:
    """What the guide says of routes and recipients holds in a sandbox."""
    subject = replace(
        subject_of(), plugins={"devportal-telecom": {"is_sandbox": True, "opted_out": ["+4420"]}}
    )

    assert settings_of(subject).registered_routes == REGISTERED_ROUTES
    assert settings_of(subject).opted_out == ("+4420",) != OPTED_OUT_NUMBERS
    assert missing_sandbox(subject) == ""


def test_a_clock_is_read_with_what_it_leaves_out() -> None:
    """A clock without method and token is moved by POST, as anybody."""
    given = {"clock": {"url": "/clock", "body": {"seconds": 60}}}
    subject = replace(subject_of(), plugins={PLUGIN: given})

    assert settings_of(subject).clock == ClockRequest(url="/clock", body={"seconds": 60})
