"""The versions that entries name: releases that are there, and that follow each other."""

from collections.abc import Iterable, Iterator

from devportal.changelog.comparing import Step
from devportal.changelog.entry import Entry
from devportal.changelog.releases import Releases
from devportal.errors import Place
from devportal.findings import Finding, Level


def names_release(entry: Entry) -> bool:
    """Say whether an entry names any version between which it tells."""
    return bool(entry.spec_from or entry.spec_to)


def check_there(entries: Iterable[Entry], releases: Releases) -> Iterator[Finding]:
    """Yield that there are no releases at all where entries name some: nothing can be proven of them."""
    naming = [entry for entry in entries if names_release(entry)]
    if naming and not releases.releases and releases.manifest.document is None:
        first, more = naming[0], len(naming) - 1
        yield _error(
            "changelog-release",
            first.place("spec_to" if first.spec_to else "spec_from"),
            f"{f'this entry and {more} more name' if more else 'this entry names'} releases, but neither "
            f"frozen contracts nor {releases.manifest_name} are there",
            "take the folder of releases back from your version control, or mend the setting `releases`",
        )


def check_steps(entries: Iterable[Entry], steps: Iterable[Step], releases: Releases) -> Iterator[Finding]:
    """Yield what is wrong with the versions that entries name; of steps that cannot be proven, nothing."""
    published = {*(one.version for one in releases.releases), *releases.missing}
    olds: dict[str, str] = {}
    for step in steps:
        olds[step.new.version if step.new else ""] = step.old.version if step.old else ""
    for entry in entries:
        if entry.spec_to not in olds:
            known = ", ".join(sorted(published)) or "none yet"
            message = f"`spec_to` is {entry.spec_to!r}, which is no release"
            help_ = f"releases are {known}; leave it out until the release: `devportal release` writes it"
            if entry.spec_to and entry.spec_to not in published:
                yield _error("changelog-release", entry.place("spec_to"), message, help_)
        elif entry.spec_from != olds[entry.spec_to] and (entry.spec_to or entry.spec_from):
            old = olds[entry.spec_to]
            yield _error(
                "changelog-release",
                entry.place("spec_from" if entry.spec_from else "spec_to"),
                f"`spec_from` is {entry.spec_from!r}, but the release before is {old!r}",
                f'write `spec_from: "{old}"`' if old else "remove it: the first release follows none",
            )


def _error(rule: str, place: Place, message: str, help_: str) -> Finding:
    return Finding(rule=rule, level=Level.ERROR, place=place, message=message, help=help_)
