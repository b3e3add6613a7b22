"""Style sheets that are shared with the documentation."""

import pytest

from devportal.errors import EnvironmentProblem
from telecom.sandbox.pages.assets import dark_by_system, load_assets


def test_dark_colours_are_those_of_the_portal() -> None:
    """Its own, chosen by the system: each colour is declared once for light, and once for dark."""
    css = load_assets()["tokens.css"][1].decode()

    assert css.count("--dp-bg: ") == 2
    assert "@media screen and (prefers-color-scheme: dark) { :root {" in css
    assert "slate" not in css
    assert css.count("{") == css.count("}")


def test_colours_without_a_dark_scheme_are_refused() -> None:
    """Where the portal writes them in another way, this is to be seen at once."""
    with pytest.raises(EnvironmentProblem, match="0 dark schemes"):
        dark_by_system(":root { --dp-bg: #fff; }")
