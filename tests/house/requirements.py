"""What pyproject.toml asks for, and what that asks for in turn."""

import tomllib
from collections.abc import Iterable
from importlib.metadata import requires
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .repository import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
LOCKED_FOR = {
    "implementation_name": "cpython",
    "platform_machine": "x86_64",
    "platform_system": "Linux",
    "python_full_version": "3.11.0",
    "python_version": "3.11",
    "sys_platform": "linux",
}
"""Where the lock is made for, whatever runs the tests."""


def required_packages(requirements: Iterable[str]) -> set[str]:
    """Return the packages that are asked for, and those that they need.

    What this project asks for is what stands in pyproject.toml, whatever was installed.
    """
    pending, seen = [Requirement(text) for text in requirements], set[tuple[str, frozenset[str]]]()
    while pending:
        one = pending.pop()
        key = (canonicalize_name(one.name), frozenset(one.extras))
        if key[0] == PROJECT["name"]:
            pending += (Requirement(text) for name in one.extras for text in EXTRAS[name])
        elif key not in seen:
            seen.add(key)
            needed = map(Requirement, requires(one.name) or ())
            pending += (each for each in needed if _applies(each, one.extras))
    return {name for name, _ in seen}


def _applies(requirement: Requirement, extras: Iterable[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({**LOCKED_FOR, "extra": extra}) for extra in ("", *extras))
