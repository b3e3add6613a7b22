"""What every account sees: the settings say it, and a wrong pattern is told."""

from pathlib import Path

import pytest

from devportal.conformance.run.options import Options
from devportal.conformance.run.run import run_conformance
from devportal.conformance.settings import Settings, parse_settings
from devportal.documents import parse_document
from devportal.errors import InvalidSettings
from tests.conformance.credential_sets import single_credential
from tests.conformance.running import CONTRACT, NOW


def test_settings_name_what_is_shared() -> None:
    """Patterns of operations stand under `tenants`."""
    document = parse_document("tenants: {shared: ['/v1/prices*']}", name="conformance.yaml")

    assert parse_settings(document, folder=Path()).shared == ("/v1/prices*",)


def test_a_pattern_that_fits_nothing_is_told() -> None:
    """A run does not begin with settings that say nothing."""
    options = Options(
        url="http://127.0.0.1:1",
        contract=CONTRACT,
        credentials=single_credential("a-secret-token"),
        settings=Settings(shared=("/v1/prices*",)),
    )

    with pytest.raises(InvalidSettings, match=r"/v1/prices\*"):
        run_conformance(options, now=lambda: NOW)
