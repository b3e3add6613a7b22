"""Style sheets that are shared with the documentation."""

from telecom.sandbox.pages.application import load_assets


def test_colours_are_those_of_the_portal_and_follow_the_system() -> None:
    """No script chooses here: the own sheet, which comes later, leaves light or dark to the system."""
    assets = load_assets()

    assert "--dp-bg: light-dark(" in assets["tokens.css"][1].decode()
    assert "[data-md-color-scheme] { color-scheme: light dark; }" in assets["sandbox.css"][1].decode()
