"""Which changes a selector means."""

from dataclasses import replace

import pytest

from devportal.changelog.entries.entry import Cover
from devportal.changelog.proof.comparing import ChangeIndex, is_selected
from devportal.contract import ABSENT
from devportal.differ import Change, Subject, SubjectKind, Use, Verdict
from devportal.differ.change import FormerPlace
from devportal.differ.rule import Action, Area

SEND = Subject(kind=SubjectKind.OPERATION, name="POST /v1/messages")
EVENT = Subject(kind=SubjectKind.EVENT, name="message.sent")
MESSAGE = Subject(kind=SubjectKind.COMPONENT, name="Message", section="schemas")


def change(
    subject: Subject, field: str, *uses: tuple[Subject, str], rule: str = "schema.type.changed"
) -> Change:
    """Return a change of a subject."""
    return Change(
        rule=rule,
        area=Area.SCHEMA,
        action=Action.CHANGED,
        verdict=Verdict.BREAKING,
        direction=None,
        subject=subject,
        field=field,
        old="a",
        new=ABSENT,
        old_location=None,
        new_location=None,
        message="it is another type",
        used_by=tuple(Use(subject=used, field=place) for used, place in uses),
    )


OWN = change(SEND, "request.to")
SHARED = change(MESSAGE, "owner.name", (SEND, "response.202(application/json).data[]"), (EVENT, "request"))


@pytest.mark.parametrize(
    ("cover", "is_meant"),
    [
        (Cover(operation="POST /v1/messages"), True),
        (Cover(operation="GET /v1/messages"), False),
        (Cover(operation="POST /v1/messages", field="request"), True),
        (Cover(operation="POST /v1/messages", field="request.to"), True),
        (Cover(operation="POST /v1/messages", field="request.t"), False),
        (Cover(operation="POST /v1/messages", field="request.to.x"), False),
        (Cover(rule="schema.type.changed"), True),
        (Cover(rule="schema.*"), True),
        (Cover(rule="schema"), False),
        (Cover(rule="param.*"), False),
        (Cover(schema="Message"), False),
        (Cover(finding=OWN.fingerprint), True),
        (Cover(finding="0" * 16), False),
        (Cover(finding=OWN.fingerprint, field="request.body"), False),
    ],
)
def test_change_of_an_operation(cover: Cover, is_meant: bool) -> None:  # noqa: FBT001 - a column of the table
    """All keys that are given have to fit, and places below the one that is named do."""
    assert is_selected(OWN, cover) is is_meant


@pytest.mark.parametrize(
    ("cover", "is_meant"),
    [
        (Cover(schema="Message"), True),
        (Cover(schema="Message", field="owner"), True),
        (Cover(schema="Message", field="name"), False),
        (Cover(component="schemas/Message"), True),
        (Cover(component="responses/Message"), False),
        (Cover(operation="POST /v1/messages"), True),
        (Cover(operation="POST /v1/messages", field="response.202"), True),
        (Cover(operation="POST /v1/messages", field="response.202.data[]"), True),
        (Cover(operation="POST /v1/messages", field="response.202.data[].owner.name"), True),
        (Cover(operation="POST /v1/messages", field="response.404.owner.name"), True),
        (Cover(operation="POST /v1/messages", field="response.404"), False),
        (Cover(operation="POST /v1/messages", field="request"), False),
        (Cover(operation="POST /v1/messages", field="owner"), False),
        (Cover(operation="message.sent", field="request"), True),
        (Cover(operation="Message"), False),
    ],
)
def test_change_of_a_shared_part(cover: Cover, is_meant: bool) -> None:  # noqa: FBT001 - a column of the table
    """A shared part is meant by its own name, and by those that use it with their places."""
    assert is_selected(SHARED, cover) is is_meant


def test_selection_finds_what_fits() -> None:
    """Looking up by the rarest key gives the same as comparing each with each."""
    changes = [
        OWN,
        SHARED,
        change(SEND, "query.limit", rule="param.added.required"),
        change(EVENT, "request.id"),
    ]
    selection = ChangeIndex(changes)
    covers = [
        Cover(operation="POST /v1/messages"),
        Cover(rule="schema.*"),
        Cover(rule="param.added.required", operation="POST /v1/messages"),
        Cover(schema="Message", rule="schema.type.changed"),
        Cover(finding=SHARED.fingerprint),
        Cover(operation="nobody"),
    ]

    for cover in covers:
        assert selection.select(cover) == tuple(item for item in changes if is_selected(item, cover))


def moved_changes(*names: str) -> tuple[Change, ...]:
    """Return changes of operations that earlier versions took for one change of the component `Key`."""
    key = FormerPlace(subject=replace(MESSAGE, name="Key"), field="")
    changes = [
        change(Subject(kind=SubjectKind.OPERATION, name=name), "request.key", (SEND, "request.key"))
        for name in names
    ]
    return tuple(replace(item, former=key) for item in changes)


@pytest.mark.parametrize("is_published", [True, False])
def test_former_place_and_fingerprint_of_one_change(*, is_published: bool) -> None:
    """An entry selects what it has always selected, by the component or by the fingerprint."""
    changes = moved_changes("POST /a")
    selection = ChangeIndex(changes, is_published=is_published)
    finding = changes[0].former_fingerprint

    assert finding != changes[0].fingerprint
    assert selection.has(finding)
    for cover in (Cover(schema="Key"), Cover(schema="Key", finding=finding), Cover(finding=finding)):
        assert selection.select(cover) == changes


def test_former_fingerprint_of_several_changes() -> None:
    """It proves a published entry, and names nothing in an entry of the next release."""
    changes = moved_changes("POST /a", "POST /b")
    cover = Cover(schema="Key", finding=changes[0].former_fingerprint)
    published, ahead = ChangeIndex(changes), ChangeIndex(changes, is_published=False)

    assert published.select(cover) == changes
    assert ahead.select(cover) == ()
    assert not ahead.has(cover.finding)
    assert ahead.select(replace(cover, finding=changes[1].fingerprint)) == changes[1:]
