"""One contract for several audiences: parts marked `x-audience` are there for the audiences that they name alone.

For an audience, each part that does not name it gets `x-internal: true`, so that what hides internal parts hides
it everywhere. The mark itself goes too: one audience need not know the names of the others.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from devportal.contract.http_methods import PATH_ITEM_METHODS
from devportal.contract.internal.withheld import is_internal
from devportal.contract.schemas import Location
from devportal.contract.validate.oas_objects import DATA_FIELDS, MAP_FIELDS
from devportal.contract.wording import quote_value
from devportal.documents import Document, Pointer
from devportal.documents.document import with_changed_data
from devportal.findings import Finding, Level
from devportal.suggestions import suggest_name

AUDIENCE_KEY = "x-audience"
_NAMED_FIELDS = MAP_FIELDS | {"definitions", "parameters"}
"""Fields whose keys are names and no fields; `definitions` and such are those of Swagger 2.0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AudienceView:
    """The audience that a contract is read for, and all that a project has.

    `hide_tags` are tags that this audience does not have, with the operations that have no other.
    """

    name: str
    names: tuple[str, ...]
    hide_tags: tuple[str, ...] = ()


@dataclass(slots=True)
class AudienceMarks:
    """Marks what an audience must not see in one file after another; `findings` lists wrong marks."""

    view: AudienceView
    findings: list[Finding] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    """The names of tags that occurred."""

    def mark_hidden_parts(self, document: Document) -> Document:
        """Return a file in which parts for other audiences are internal. Places stay those of the file."""
        if not isinstance(document.data, (dict, list)):
            return document
        data = self._mark_value(document.data, (), document, is_map=False)
        return with_changed_data(document, data, added_text=f"# x-internal for {self.view!r}\n")

    def unknown_tags(self, document: Document) -> Iterator[Finding]:
        """Yield each hidden tag that no file has, at the tags of the root file."""
        for name in self.view.hide_tags:
            if name not in self.tags:
                yield Finding(
                    rule="contract-audience",
                    level=Level.ERROR,
                    place=document.place(("tags",)),
                    message=f"the audience {quote_value(self.view.name)} hides the tag {quote_value(name)}, "
                    "which this contract does not have",
                    help=f"correct 'hide_tags' in the settings{_did_you_mean(name, sorted(self.tags))}",
                )

    def _mark_value(self, value: Any, at: Pointer, document: Document, *, is_map: bool) -> Any:
        if isinstance(value, list):
            return [
                self._mark_value(member, (*at, str(number)), document, is_map=False)
                for number, member in enumerate(value)
            ]
        if not isinstance(value, dict):
            return value
        is_hidden = not is_map and self._is_hidden(value, at, document)
        members = {
            key: member
            if not is_map and _holds_data(key, member)
            else self._mark_value(
                member, (*at, key), document, is_map=not is_map and _holds_names(key, member)
            )
            for key, member in value.items()
            if key != AUDIENCE_KEY or (is_map and isinstance(member, dict))
        }
        if at == ("info",):  # nothing hides contact and licence by a mark: they are left out
            members = {key: member for key, member in members.items() if not is_internal(member)}
        if is_map and AUDIENCE_KEY not in members and AUDIENCE_KEY in value:
            self._report_misplaced(document, (*at, AUDIENCE_KEY))
        return {**members, "x-internal": True} if is_hidden else members

    def _is_hidden(self, value: dict[str, Any], at: Pointer, document: Document) -> bool:
        """Return whether an object is not for the audience, by its own mark or its tags."""
        return self._is_for_others(value, at, document) or self._has_hidden_tags(value, at)

    def _is_for_others(self, value: dict[str, Any], at: Pointer, document: Document) -> bool:
        if AUDIENCE_KEY not in value:
            return False
        written = value[AUDIENCE_KEY]
        listed = written if isinstance(written, list) else [written]
        for item in listed:
            if item not in self.view.names:
                self._report_unknown(item, document, (*at, AUDIENCE_KEY))
        return self.view.name not in listed

    def _has_hidden_tags(self, value: dict[str, Any], at: Pointer) -> bool:
        if at[:1] == ("tags",) and len(at) == 2:
            self.tags.add(str(value.get("name")))
            return value.get("name") in self.view.hide_tags
        tags = value.get("tags")
        is_operation = "responses" in value or (at and at[-1].lower() in PATH_ITEM_METHODS)
        if not is_operation or not isinstance(tags, list) or not tags:
            return False
        self.tags.update(map(str, tags))
        return all(tag in self.view.hide_tags for tag in tags)

    def _report_misplaced(self, document: Document, at: Pointer) -> None:
        self.findings.append(
            Finding(
                rule="contract-audience",
                level=Level.ERROR,
                place=document.place(at),
                message=f"this mark hides nothing: it stands among the members of {quote_value(at[-2])}",
                help="write it into each member",
            )
        )

    def _report_unknown(self, name: Any, document: Document, at: Pointer) -> None:
        self.findings.append(
            Finding(
                rule="contract-audience",
                level=Level.WARNING,
                place=document.place(at),
                message=f"{quote_value(name)} is not an audience of this project",
                help=f"the audiences are {', '.join(self.view.names)}"
                + _did_you_mean(str(name), self.view.names),
            )
        )


def audience_of(view: AudienceView | None) -> tuple[AudienceMarks | None, Callable[[Document], Document]]:
    """Return what marks the files of a contract for an audience; without one, files stay as they are."""
    if view is None:
        return None, lambda document: document
    marks = AudienceMarks(view)
    return marks, marks.mark_hidden_parts


def unused_marks(documents: Iterable[tuple[str, Document]]) -> Location | None:
    """Return the first mark of an audience that is still in a file: nobody chose an audience."""
    for name, document in documents:
        if AUDIENCE_KEY in document.text:
            pointer = _first_mark(document.data, (), is_map=False)
            if pointer is not None:
                return Location(name, pointer)
    return None


def _first_mark(value: Any, at: Pointer, *, is_map: bool) -> Pointer | None:
    if isinstance(value, dict):
        if not is_map and AUDIENCE_KEY in value:
            return (*at, AUDIENCE_KEY)
        below = [
            (key, member, not is_map and _holds_names(key, member))
            for key, member in value.items()
            if is_map or not _holds_data(key, member)
        ]
    elif isinstance(value, list):
        below = [(str(number), member, False) for number, member in enumerate(value)]
    else:
        return None
    return next(
        (
            found
            for key, member, holds_names in below
            if (found := _first_mark(member, (*at, key), is_map=holds_names)) is not None
        ),
        None,
    )


def _holds_data(key: str, member: Any) -> bool:
    """Return whether a field holds values of the API; named examples are objects that may be marked."""
    return key in DATA_FIELDS and not (key == "examples" and isinstance(member, dict))


def _holds_names(key: str, member: Any) -> bool:
    return key in _NAMED_FIELDS and isinstance(member, dict)


def _did_you_mean(name: str, names: tuple[str, ...] | list[str]) -> str:
    suggestion = suggest_name(name, names)
    return f"; {suggestion}" if suggestion else ""
