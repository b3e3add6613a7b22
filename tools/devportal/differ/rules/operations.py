"""Rules of operations that both contracts have: their metadata."""

from collections.abc import Iterator

from devportal.contract import ABSENT, Operation, ParameterLocation
from devportal.differ.match.operations import placeholders, url_template
from devportal.differ.pairs.placeholders import has_reordered_placeholders
from devportal.differ.part_pair import OperationPair
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict, quote_value
from devportal.differ.rules.document import server_texts
from devportal.differ.rules.part_changes import change_between, edited_texts
from devportal.translation import gettext_noop

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION


def _placeholder_renamed(pair: OperationPair) -> Iterator[FoundChange]:
    if not _has_comparable_placeholders(pair) or has_reordered_placeholders(pair):
        return
    for old, new in zip(placeholders(pair.old.path), placeholders(pair.new.path), strict=True):
        if old != new:
            is_sent = _is_name_sent(pair.old, old) and _is_name_sent(pair.new, new)
            yield change_between(
                pair.old,
                pair.new,
                old=old,
                new=new,
                verdict=_B if is_sent else pair.policy.placeholder_renamed,
                reason=phrase("with the style matrix, the name is part of the URL") if is_sent else "",
            )


def _is_name_sent(operation: Operation, name: str) -> bool:
    """Say whether the name of a path parameter is a part of URLs (OAS 3.0.3 §4.7.12.5)."""
    return any(
        parameter.name == name
        and parameter.location_in is ParameterLocation.PATH
        and parameter.content is None
        and parameter.style == "matrix"
        for parameter in operation.parameters
    )


def _placeholders_reordered(pair: OperationPair) -> Iterator[FoundChange]:
    if _has_comparable_placeholders(pair) and has_reordered_placeholders(pair):
        yield change_between(
            pair.old,
            pair.new,
            old=list(placeholders(pair.old.path)),
            new=list(placeholders(pair.new.path)),
            hint=phrase("use exactly this path: %(path)s", path=pair.new.path),
        )


def _has_comparable_placeholders(pair: OperationPair) -> bool:
    """Say whether a path is the same but for the names in it. Nobody fills in the path of an event."""
    return not pair.is_event and url_template(pair.old.path) == url_template(pair.new.path)


def _id_changed(pair: OperationPair) -> Iterator[FoundChange]:
    if pair.old.id_is_declared and pair.new.id_is_declared and pair.old.id != pair.new.id:
        yield change_between(
            pair.old, pair.new, old=pair.old.id, new=pair.new.id, verdict=pair.policy.operation_id
        )


def _id_removed(pair: OperationPair) -> Iterator[FoundChange]:
    if pair.old.id_is_declared and not pair.new.id_is_declared:
        yield change_between(pair.old, pair.new, old=pair.old.id, verdict=pair.policy.operation_id)


def _id_added(pair: OperationPair) -> Iterator[FoundChange]:
    if pair.new.id_is_declared and not pair.old.id_is_declared:
        yield change_between(pair.old, pair.new, new=pair.new.id)


def _tags_changed(pair: OperationPair) -> Iterator[FoundChange]:
    if set(pair.old.tags) != set(pair.new.tags):
        old, new = list(pair.old.tags), list(pair.new.tags)
        names = {"old": quote_value(old or ABSENT), "new": quote_value(new or ABSENT)}
        yield change_between(pair.old, pair.new, names=names, old=old, new=new)


def _text_changed(pair: OperationPair) -> Iterator[FoundChange]:
    old, new = pair.contracts.old, pair.contracts.new
    is_inherited = pair.old.servers == old.servers and pair.new.servers == new.servers
    texts = edited_texts(*(_texts(side, has_servers=not is_inherited) for side in (pair.old, pair.new)))
    if texts:
        yield change_between(pair.old, pair.new, names={"texts": texts})


def _texts(operation: Operation, *, has_servers: bool) -> dict[str, object]:
    """Return the texts of an operation, and of its servers unless they are those of the whole contract."""
    path = operation.path_description
    return {
        phrase("summary"): operation.summary,
        phrase("description"): operation.description.removesuffix(path).rstrip(),
        phrase("description of the path item"): path,
        phrase("descriptions of servers"): server_texts(operation.servers) if has_servers else (),
        phrase("external documentation"): operation.external_docs,
        phrase("code samples"): operation.code_samples,
    }


OPERATION_RULES: tuple[Rule[OperationPair], ...] = (
    Rule(
        id="path.placeholder.renamed",
        area=Area.OPERATION,
        action=Action.CHANGED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the path parameter %(old)s is renamed to %(new)s"),
        find=_placeholder_renamed,
    ),
    Rule(
        id="path.placeholder.reordered",
        area=Area.OPERATION,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop(
            "the parameters in the path are %(new)s instead of %(old)s, so a URL with the same values means "
            "something else"
        ),
        find=_placeholders_reordered,
    ),
    Rule(
        id="operation.id.changed",
        area=Area.OPERATION,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop(
            "the operationId is %(new)s instead of %(old)s, which renames functions in generated clients"
        ),
        find=_id_changed,
    ),
    Rule(
        id="operation.id.removed",
        area=Area.OPERATION,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the operationId %(old)s is removed, which renames functions in generated clients"),
        find=_id_removed,
        mirror="operation.id.added",
        waiver="a name that is added breaks no client that was generated without it",
    ),
    Rule(
        id="operation.id.added",
        area=Area.OPERATION,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the operationId %(new)s is added"),
        find=_id_added,
        mirror="operation.id.removed",
        waiver="a name that is added breaks no client that was generated without it",
    ),
    Rule(
        id="operation.tags.changed",
        area=Area.OPERATION,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the tags are %(new)s instead of %(old)s"),
        find=_tags_changed,
    ),
    Rule(
        id="operation.text.changed",
        area=Area.OPERATION,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the documentation of the operation is changed (%(texts)s)"),
        find=_text_changed,
    ),
)
