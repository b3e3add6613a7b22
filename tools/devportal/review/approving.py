"""`approve`: what was submitted is shown, and approved once somebody says that they have read it."""

import hashlib
import sys
from collections.abc import Mapping, Sequence

import click

from devportal.catalog import content_sha256
from devportal.catalog.book import Book
from devportal.catalog.lifecycle import Action
from devportal.catalog.ref import RecordRef
from devportal.catalog.version import AnyVersion
from devportal.catalog.window import Terms
from devportal.errors import InvalidSettings, RefusedWrite
from devportal.review.changing import Asked, reviewed, take
from devportal.review.differences import differences, in_short
from devportal.review.queries import public_terms
from devportal.review.showing import print_differences, print_short
from devportal.review.steps import Review

_ENOUGH = 12
"""How many digits of a hash are shown to be repeated."""


def approve(asked: Asked, *, contents: Sequence[str]) -> None:
    """Approve versions that somebody else submitted, after reading them. For approvers.

    It shows how they differ from the public versions, and wants their content hash, or a yes on a terminal.
    Nobody approves what they wrote, and nothing whose first day is over.
    """
    found: dict[RecordRef, str] = {}
    public: dict[str, Terms] = {}
    looked_at: list[AnyVersion] = []
    book: Book | None = None

    def look(review: Review, version: AnyVersion) -> None:
        nonlocal book
        if book is None:
            book = review.opened.catalog.records.book
            catalog, today = review.opened.catalog, review.opened.at.date()
            public.update(public_terms(catalog, asked.selection.kind, today))
        sha256 = content_sha256(version.terms)
        review.approve(version, read_sha256=sha256)
        found[version.ref] = sha256
        looked_at.append(version)

    if reviewed(asked, Action.APPROVE, look, save=False) is None or book is None:
        return
    _show(looked_at, found, public, book)
    read = found if asked.dry_run and not contents else _read(found, contents)
    take(asked, Action.APPROVE, lambda review, one: review.approve(one, read_sha256=read.get(one.ref, "")))


def _show(
    looked_at: Sequence[AnyVersion],
    found: Mapping[RecordRef, str],
    public: Mapping[str, Terms],
    book: Book,
) -> None:
    """Show on standard error what an approval approves: one version whole, several in a line each."""
    if len(looked_at) > 1:
        lines = [
            (in_short(public.get(version.terms.id), version.terms, book), found[version.ref][:_ENOUGH])
            for version in looked_at
        ]
        print_short([(*short, sha256) for short, sha256 in lines])
        return
    for version in looked_at:
        before = public.get(version.terms.id)
        click.echo(f"{version.ref}, content {found[version.ref]}:", err=True)
        print_differences(
            differences(before, version.terms, book),
            before=f"public: {before.ref}" if before else "nothing is public",
            after="to approve",
            is_result=False,
        )


def _read(found: Mapping[RecordRef, str], contents: Sequence[str]) -> Mapping[RecordRef, str]:
    """Return the content that was read of each version; what was named and is not found is nobody's."""
    whole = _digest(found)
    if not contents:
        _ask(len(found), whole)
        return found
    if any(whole.startswith(each) for each in contents):
        return found
    return {ref: sha256 for ref, sha256 in found.items() if any(sha256.startswith(each) for each in contents)}


def _digest(found: Mapping[RecordRef, str]) -> str:
    """Return what names the content of all versions: their hash, or that of a line for each of them."""
    if len(found) == 1:
        return next(iter(found.values()))
    lines = "".join(f"{ref} {sha256}\n" for ref, sha256 in sorted(found.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def _ask(count: int, digest: str) -> None:
    """Ask on a terminal; raise InvalidSettings elsewhere, RefusedWrite for a no."""
    what = "this version" if count == 1 else f"these {count:,} versions"
    if not sys.stdin.isatty():
        raise InvalidSettings(
            f"nothing says that you have read {what}",
            help=f"read the above, then repeat this with --content {digest[:_ENOUGH]}",
        )
    if not click.confirm(f"Approve {what}?", err=True):
        raise RefusedWrite("nothing was approved")
