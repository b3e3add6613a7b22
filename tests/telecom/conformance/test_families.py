"""The checks of messaging are silent on the sandbox, and say what they lack elsewhere. What they find is in
`tests/apps/faults/messaging.py` and `telecom.py`."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.apps.faults.catching import part_of_run, subject_at
from tests.apps.faults.standing import Standing, standing
from tests.apps.faults.twists import EVENTS, MESSAGES, request
from tests.conformance.running import subject_of

from devportal.conformance.family import Family
from devportal.contract import Contract
from telecom.conformance import families
from telecom.conformance.segments import SAMPLE_TEXTS
from telecom.segments import split_into_segments

OPERATIONS = (
    *MESSAGES,
    *("listRates", "listCountryRates", "listCoverage", "retrieveCountryCoverage"),
    *("listEvents", "retrieveEvent", "listNumbers"),
    *("registerBrand", "retrieveBrand", "registerCampaign", "retrieveCampaign"),
)


@pytest.fixture(scope="module")
def sandbox(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Standing:
    """Return a sandbox that is prepared."""
    return standing(contract.api, tmp_path_factory.mktemp("standing"))


def family_named(name: str) -> Family:
    """Return one of the families."""
    return next(family for family in families() if family.name == name)


@pytest.mark.conformance
def test_the_sandbox_counts_publishes_and_delivers_as_promised(
    sandbox: Standing, contract: Contract, tmp_path: Path
) -> None:
    """Nothing is said of a sandbox that is right."""
    asked = [family for family in families() if family.lacks is None or family.name != "sandbox-destinations"]
    with sandbox.serving(tmp_path) as served:
        failures = part_of_run(served, contract, asked, include=OPERATIONS)

    assert failures == ()


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["sandbox-destinations", "delivery-receipts"])
def test_every_number_of_the_sandbox_does_as_the_guide_says(
    sandbox: Standing, contract: Contract, tmp_path: Path, name: str
) -> None:
    """Declared to be a sandbox, it is asked for the outcome and the receipts of each number: those that are
    late, repeated or missing agree with its messages.
    """
    plugins = {"devportal-telecom": {"is_sandbox": True}}
    with sandbox.serving(tmp_path) as served:
        failures = part_of_run(served, contract, [family_named(name)], include=OPERATIONS, plugins=plugins)

    assert failures == ()


def test_other_contracts_lack_what_is_tested() -> None:
    """Of a contract that has no messages nothing is asked, and that is said."""
    subject = subject_of()

    assert all(family.lacks is not None and family.lacks(subject) for family in families())


@pytest.mark.conformance
def test_events_are_found_on_every_page(sandbox: Standing, contract: Contract, tmp_path: Path) -> None:
    """A log that shows one event at a time is read to its end."""
    short_pages = request(EVENTS, lambda asked: asked.with_params(limit="1"))
    with sandbox.serving(tmp_path, short_pages()) as served:
        failures = part_of_run(served, contract, [family_named("delivery-receipts")], include=OPERATIONS)

    assert failures == ()


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["compliance-refusals", "registration-decisions"])
def test_the_sandbox_refuses_what_compliance_forbids(
    name: str, sandbox: Standing, contract: Contract, tmp_path: Path
) -> None:
    """Nothing is said of a sandbox that refuses what it must, and takes what has all it needs."""
    plugins = {"devportal-telecom": {"is_sandbox": True}}
    with sandbox.serving(tmp_path) as served:
        failures = part_of_run(served, contract, [family_named(name)], include=OPERATIONS, plugins=plugins)

    assert failures == ()


def test_no_number_is_called_unless_settings_say_sandbox(contract: Contract) -> None:
    """Messages to the numbers of a sandbox are never sent elsewhere."""
    subject, family = (
        subject_at("http://127.0.0.1:1", contract, MESSAGES),
        family_named("sandbox-destinations"),
    )
    assert family.lacks is not None

    assert "is_sandbox" in family.lacks(subject)
    assert family.lacks(replace(subject, plugins={"devportal-telecom": {"is_sandbox": True}})) == ""


def test_the_texts_cross_every_boundary() -> None:
    """They have one, two and three segments in both encodings, and fit into a message."""
    counts = {
        (split_into_segments(text).encoding.value, len(split_into_segments(text).segments))
        for text in SAMPLE_TEXTS
    }

    assert counts >= {(name, count) for name in ("GSM-7", "UCS-2") for count in (1, 2, 3)}
    assert max(map(len, SAMPLE_TEXTS)) <= 1530
