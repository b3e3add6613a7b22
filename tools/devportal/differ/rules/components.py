"""Rules of components as such: the names of those that are used, and those that nothing uses."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from devportal.contract import Location
from devportal.differ.match.renames import Rename
from devportal.differ.phrase import phrase
from devportal.differ.policy import Policy
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.differ.schemas.schema_descriptions import SchemaDescription
from devportal.translation import gettext_noop

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentPair:
    """A component that is in one contract alone, or is called otherwise in the other; used or not."""

    kind: str
    old: str = ""
    new: str = ""
    is_used: bool = False
    is_still_used: bool = False
    """Whether operations ask for it in both contracts, though it may be in one of them alone."""
    is_edited: bool = False
    rename: Rename | None = None
    location: Location
    policy: Policy = field(repr=False)


def _unused_added(pair: ComponentPair) -> Iterator[FoundChange]:
    if pair.new and not pair.old and not pair.is_used:
        yield FoundChange(new=pair.new, names={"kind": pair.kind}, new_location=pair.location)


def _unused_removed(pair: ComponentPair) -> Iterator[FoundChange]:
    if pair.old and not pair.new and not pair.is_used:
        yield FoundChange(old=pair.old, names={"kind": pair.kind}, old_location=pair.location)


def _unused_edited(pair: ComponentPair) -> Iterator[FoundChange]:
    if pair.is_edited and not pair.is_used:
        names = {"kind": pair.kind, "name": pair.new}
        yield FoundChange(names=names, old_location=pair.location, new_location=pair.location)


def _scheme_undeclared(pair: ComponentPair) -> Iterator[FoundChange]:
    if pair.is_still_used and not pair.new:
        yield FoundChange(old=pair.old, old_location=pair.location)


def _scheme_declared(pair: ComponentPair) -> Iterator[FoundChange]:
    if pair.is_still_used and not pair.old:
        yield FoundChange(new=pair.new, new_location=pair.location)


_SURELY_RENAMED = gettext_noop(
    "the %(kind)s %(old)s is renamed to %(new)s, which renames types in generated clients"
)
_POSSIBLY_RENAMED = gettext_noop(
    "the %(kind)s %(old)s is possibly renamed to %(new)s, which renames types in generated clients"
)


def _component_renamed(pair: ComponentPair) -> Iterator[FoundChange]:
    if pair.rename is not None and pair.policy.component_renamed is not None:
        yield FoundChange(
            old=pair.old,
            new=pair.new,
            verdict=pair.policy.component_renamed,
            names={"kind": pair.kind},
            says=_SURELY_RENAMED if pair.rename.is_declared else _POSSIBLY_RENAMED,
            new_location=pair.location,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusedSchemaPair:
    """A schema of a contract without operations and events, and what it has become.

    `verdicts` are the most severe ones if it is sent and if it is received.
    """

    name: str
    old: SchemaDescription
    new: SchemaDescription
    old_location: Location
    new_location: Location
    verdicts: tuple[Verdict, Verdict]


def _unused_changed(pair: UnusedSchemaPair) -> Iterator[FoundChange]:
    verdict = _verdict_of_both_directions(*pair.verdicts)
    yield FoundChange(
        old=pair.old,
        new=pair.new,
        names={"name": pair.name},
        old_location=pair.old_location,
        new_location=pair.new_location,
        verdict=verdict,
        reason=_DIRECTIONS if verdict is _R else "",
    )


def _verdict_of_both_directions(sent: Verdict, received: Verdict) -> Verdict:
    """Return a verdict that holds in both directions: risky if the change matters to callers."""
    if sent is received:
        return sent
    return _R if _B in (sent, received) else max(sent, received, key=lambda item: item.rank)


_DIRECTIONS = phrase("the contract does not say whether clients send or receive it")

UNUSED_RULES: tuple[Rule[UnusedSchemaPair], ...] = (
    Rule(
        id="component.unused.changed",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop(
            "the schema %(name)s is changed in a contract that has only schemas, from %(old)s to %(new)s"
        ),
        find=_unused_changed,
    ),
)

COMPONENT_RULES: tuple[Rule[ComponentPair], ...] = (
    Rule(
        id="component.unused.added",
        area=Area.DOCUMENT,
        action=Action.ADDED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the %(kind)s %(new)s is added, and nothing uses it"),
        find=_unused_added,
        mirror="component.unused.removed",
    ),
    Rule(
        id="component.unused.removed",
        area=Area.DOCUMENT,
        action=Action.REMOVED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the unused %(kind)s %(old)s is removed"),
        find=_unused_removed,
        mirror="component.unused.added",
    ),
    Rule(
        id="component.unused.edited",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the unused %(kind)s %(name)s is changed"),
        find=_unused_edited,
    ),
    Rule(
        id="security.scheme.undeclared",
        area=Area.SECURITY,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the security scheme %(old)s is removed, but operations still require it"),
        find=_scheme_undeclared,
        mirror="security.scheme.declared",
        waiver="credentials that are described at last change nothing for who had them",
    ),
    Rule(
        id="security.scheme.declared",
        area=Area.SECURITY,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the security scheme %(new)s, which operations already required, is added"),
        find=_scheme_declared,
        mirror="security.scheme.undeclared",
        waiver="credentials that are described at last change nothing for who had them",
    ),
    Rule(
        id="component.renamed",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=None,
        to_consumer=None,
        says="the %(kind)s %(old)s is %(renamed)s to %(new)s, which renames types in generated clients",
        find=_component_renamed,
    ),
)
