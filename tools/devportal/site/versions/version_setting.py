"""Which releases of a contract have a reference of their own: what the setting `versions` says."""

from typing import TYPE_CHECKING, Any

from devportal.contract.semantic_version import Version, read_version
from devportal.contract.wording import quote_value
from devportal.errors import InvalidSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from devportal.changelog import Release  # whoever reads settings often has no releases


MAJORS, ALL, NONE = "majors", "all", "none"
VersionsSetting = str | tuple[str, ...]
_ADVICE = "write majors, all, none, or a list of releases such as ['2.0.0', '1.5.0']"


def parse_setting(value: Any) -> VersionsSetting:
    """Return the setting as it was meant; an empty one turns it off. Raises InvalidSettings."""
    if value in ("", None, NONE):
        return NONE
    if value in (MAJORS, ALL):
        return str(value)
    if isinstance(value, (list, tuple)):
        for one in value:
            if not isinstance(one, str):
                raise InvalidSettings(f"'versions' lists {one!r}, which is no version", help=_ADVICE)
        return tuple(value) or NONE
    raise InvalidSettings(f"'versions' is {value!r}", help=_ADVICE)


def choose_releases(
    setting: VersionsSetting, releases: "Sequence[Release]", *, current: str
) -> "tuple[Release, ...]":
    """Return the releases that have a reference beside that of the version `current`, the newest first.

    Raises InvalidSettings for a version that was not released, for the present one and for one after it.
    """
    number = read_version(current)
    earlier = [one for one in releases if number is None or one.number < number]
    if isinstance(setting, tuple):
        known = {one.version: one for one in releases}
        for version in setting:
            _check_version(version, known, current)
            if number is not None and known[version].number > number:
                raise InvalidSettings(
                    f"'versions' lists {quote_value(version)}, which comes after the present version "
                    f"{quote_value(current)}",
                    help="leave it out, or see whether 'info.version' of the contract is right",
                )
        earlier = [known[version] for version in dict.fromkeys(setting)]
    elif setting == MAJORS:
        newest = {_compatibility_key(one.number): one for one in sorted(earlier, key=lambda one: one.number)}
        earlier = [
            one for line, one in newest.items() if number is None or line != _compatibility_key(number)
        ]
    elif setting == NONE:
        earlier = []
    return tuple(sorted(earlier, key=lambda one: one.number, reverse=True))


def _compatibility_key(number: Version) -> tuple[int, ...]:
    """Return what versions share between which nothing breaks: the first number, below 1.0.0 two of them."""
    return (number.major,) if number.major else (0, number.minor)


def _check_version(version: str, known: "dict[str, Release]", current: str) -> None:
    if version == current:
        raise InvalidSettings(
            f"'versions' lists {quote_value(version)}, which is the present version: it has the reference itself",
            help="leave it out: name earlier releases",
        )
    if version not in known:
        there = f"released are {', '.join(known)}" if known else "nothing was released yet"
        raise InvalidSettings(
            f"'versions' lists {quote_value(version)}, which was not released: {there}", help=_ADVICE
        )
