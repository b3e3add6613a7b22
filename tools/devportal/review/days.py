"""What a day means for a step of the review: which versions are due, and which come too late."""

from collections.abc import Iterator, Sequence
from datetime import date

import click

from devportal.catalog.version import AnyVersion

_SHOWN = 50
"""The most warnings that are told one by one."""


def those_due(versions: Sequence[AnyVersion], today: date) -> Sequence[AnyVersion]:
    """Return the versions whose first day has come and whose last has not gone; say how many are left out."""
    begun = [version for version in versions if version.terms.effective_from <= today]
    over = [version for version in begun if _is_over(version, today)]
    warn([f"{one.source.place('id')}: {one.ref} is over, and was never active: withdraw it" for one in over])
    if len(begun) < len(versions):
        click.echo(f"{len(versions) - len(begun):,} of {len(versions):,} versions are not due yet.", err=True)
    return [version for version in begun if not _is_over(version, today)]


def _is_over(version: AnyVersion, today: date) -> bool:
    return version.terms.effective_to is not None and version.terms.effective_to <= today


def lateness(version: AnyVersion, today: date) -> Iterator[str]:
    """Yield a warning where nobody can approve a version any more, or only today."""
    first = version.terms.effective_from
    place = version.source.place("effective_from")
    if first < today:
        yield f"{place}: {version.ref} takes effect on {first}, before today: nobody can approve it any more"
    elif first == today:
        yield f"{place}: {version.ref} takes effect today: nobody can approve it from tomorrow on"


def warn(warnings: Sequence[str]) -> None:
    """Tell warnings on standard error; of many only the first ones, and how many more there are."""
    for warning in warnings[:_SHOWN]:
        click.echo(f"warning: {warning}", err=True)
    if len(warnings) > _SHOWN:
        click.echo(f"warning: and {len(warnings) - _SHOWN:,} more", err=True)
