"""Of the faulty servers of one module, the fast tier has the first that each check finds, the deep one has all."""

import pytest

FOUND = {"title", "failure", "failures", "expected"}
"""What a test of faulty servers calls what is found, its parameter beside `family` and `app`."""


@pytest.hookimpl(tryfirst=True)  # before pytest deselects by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put a faulty server into the deep tier whose check has found one before."""
    seen: set[tuple[str, int]] = set()
    for item in items:
        callspec = getattr(item, "callspec", None)
        if callspec is None or not {"family", "app"} <= callspec.params.keys():
            continue
        if not FOUND & callspec.params.keys() or item.get_closest_marker("deep") is not None:
            continue
        test = f"{item.path}::{getattr(item, 'originalname', '')}"
        key = (test, id(callspec.params["family"]))
        if key in seen:
            item.add_marker("deep")
        seen.add(key)
