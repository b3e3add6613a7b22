"""Plug-ins: other distributions that bring commands, inserts or conformance checks by entry points.

A plug-in goes by the name of its distribution, which is what `pip install` takes. Its commands are there
where it is installed. Its checks, their settings and its inserts are used only if the settings list it, or if
the contract names it.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, distributions
from typing import Any

from devportal.errors import EnvironmentProblem, InvalidSettings
from devportal.suggestions import closest_name

COMMANDS_GROUP = "devportal.commands"
"""The group of click commands, by the name of the command."""
INSERTS_GROUP = "devportal.inserts"
"""The group of functions that make an insert, by the name of the insert."""
CHECKS_GROUP = "devportal.conformance"
"""The group of functions that return check families."""
CHECK_SETTINGS_GROUP = "devportal.conformance.settings"
"""The group of functions that return the JSON Schema of what the checks of a plug-in read of the settings."""
_DISTRIBUTION_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
"""The name of a distribution (PEP 508)."""
ENTRY_POINT_GROUPS = (COMMANDS_GROUP, INSERTS_GROUP, CHECKS_GROUP, CHECK_SETTINGS_GROUP)


def canonical_name(name: str) -> str:
    """Return a distribution's name in the one spelling that stands for all (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def plugin_of(point: EntryPoint) -> str:
    """Return the canonical name of the distribution that an entry point comes from."""
    return canonical_name(point.dist.name) if point.dist is not None else ""


def installed_plugins() -> tuple[str, ...]:
    """Return the names of all plug-ins that are installed, sorted."""
    found = {canonical_name(item.name) for item in distributions() if _plugin_groups(item.entry_points)}
    return tuple(sorted(found - {"devportal"}))


def require_plugins(names: Iterable[str], *, listed_in: str) -> tuple[str, ...]:
    """Return the canonical names of plug-ins, each once and sorted.

    Raises InvalidSettings for what is not a name of a package, and EnvironmentProblem for one that is not
    installed or is not a plug-in; `listed_in` is where it stands.
    """
    names = tuple(names)
    for name in names:
        if not _DISTRIBUTION_NAME.fullmatch(name):
            raise InvalidSettings(
                f"{listed_in}: {name!r} is not the name of a package",
                help="list a plug-in by the name that 'pip install' takes",
            )
    required = sorted(set(map(canonical_name, names)))
    for name in required:
        try:
            found = distribution(name)
        except PackageNotFoundError:
            raise EnvironmentProblem(
                f"{listed_in}: the plug-in {name!r} is not installed", help=_install_advice(name)
            ) from None
        if not _plugin_groups(found.entry_points):
            raise EnvironmentProblem(
                f"{listed_in}: the package {name!r} is installed, but is not a plug-in of devportal",
                help=_installed_plugins_text(),
            )
    return tuple(required)


def entry_points_of(group: str, plugins: Iterable[str]) -> tuple[EntryPoint, ...]:
    """Return the entry points that some plug-ins have in a group, by plug-in, then by name."""
    points: list[EntryPoint] = []
    for name in {*map(canonical_name, plugins)}:
        with suppress(PackageNotFoundError):
            points += distribution(name).entry_points.select(group=group)
    return tuple(sorted(points, key=lambda point: (plugin_of(point), point.name)))


def load_entry_point(point: EntryPoint) -> Any:
    """Return what an entry point leads to. Raises EnvironmentProblem if it cannot be imported."""
    try:
        return point.load()
    except Exception as error:
        raise _plugin_error(point, error) from error


def call_entry_points(group: str, plugins: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yield each plug-in with what its function in a group returns.

    Raises EnvironmentProblem if the function cannot be imported or called.
    """
    for point in entry_points_of(group, plugins):
        function = load_entry_point(point)
        try:
            made = function()
        except Exception as error:
            raise _plugin_error(point, error) from error
        yield plugin_of(point), made


def _plugin_groups(points: Iterable[EntryPoint]) -> set[str]:
    return {point.group for point in points} & set(ENTRY_POINT_GROUPS)


def _plugin_error(point: EntryPoint, error: Exception) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"the plug-in {plugin_of(point)!r} cannot be used: {point.value!r} raises "
        f"{type(error).__name__}: {error}",
        help="install a version of it that fits this devportal, or uninstall it",
    )


def _install_advice(name: str) -> str:
    there = installed_plugins()
    meant = next((text for text in there if name in text), "") or closest_name(name, there)
    how = f"run 'pip install {name}' in the environment of devportal"
    return f"did you mean {meant!r}? Otherwise {how}" if meant else how


def _installed_plugins_text() -> str:
    there = installed_plugins()
    return f"Installed plug-ins: {', '.join(there)}" if there else "No plug-in is installed"
