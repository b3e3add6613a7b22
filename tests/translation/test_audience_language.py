"""Each audience of a project can have a language of its own."""

import pytest

from devportal.errors import InvalidSettings
from devportal.project.audiences import Audiences


def test_language_of_an_audience() -> None:
    """It is written as its tag usually is; without one, that of the project holds."""
    found = Audiences().check(
        {"global": {}, "dach": {"language": "de-at", "site_url": "https://de.example.com/"}}
    )

    assert [one.language for one in found] == ["", "de-AT"]
    assert found[1].site_url == "https://de.example.com/"


def test_unknown_language_of_an_audience() -> None:
    """The message names the audience and the language that is probably meant."""
    with pytest.raises(InvalidSettings, match=r"language of the audience 'japan': 'jp'.*did you mean 'ja'"):
        Audiences().check({"japan": {"language": "jp"}})
