"""Rules of operations that came, went or moved."""

from collections.abc import Iterator

from devportal.contract import Operation
from devportal.differ.match.operations import templates_matching
from devportal.differ.pairs.lifecycle import Removal, operation_lifecycle
from devportal.differ.part_pair import OperationChange, OperationChangeKind
from devportal.differ.phrase import phrase
from devportal.differ.policy import Policy
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.differ.rules.part_changes import change_between
from devportal.differ.witnesses.path_values import refuses_path
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE


def _method_and_path(operation: Operation) -> str:
    return f"{operation.method} {operation.path}"


def _path_added(pair: OperationChange) -> Iterator[FoundChange]:
    if pair.kind is OperationChangeKind.ADDED and pair.new is not None and pair.is_new_path:
        yield FoundChange(new=_method_and_path(pair.new), new_location=pair.new.location)


def _operation_added(pair: OperationChange) -> Iterator[FoundChange]:
    if pair.kind is OperationChangeKind.ADDED and pair.new is not None and not pair.is_new_path:
        yield FoundChange(new=_method_and_path(pair.new), new_location=pair.new.location)


def _operation_removed(pair: OperationChange) -> Iterator[FoundChange]:
    """If the sunset is known, the rules of removal by sunset apply instead."""
    if (
        pair.kind is OperationChangeKind.REMOVED
        and pair.old is not None
        and not operation_removal(pair.old, pair.policy).has_known_sunset
    ):
        yield FoundChange(old=_method_and_path(pair.old), old_location=pair.old.location)


def operation_removal(operation: Operation, policy: Policy) -> Removal:
    """Return the removal of an operation with its lifecycle."""
    return Removal(lifecycle=operation_lifecycle(operation), name=_method_and_path(operation), policy=policy)


def _operation_moved(pair: OperationChange) -> Iterator[FoundChange]:
    if pair.kind is OperationChangeKind.MOVED and pair.old is not None and pair.new is not None:
        yield change_between(
            pair.old,
            pair.new,
            old=_method_and_path(pair.old),
            new=_method_and_path(pair.new),
            hint=phrase("call %(operation)s instead", operation=_method_and_path(pair.new)),
        )


def _path_respelled(pair: OperationChange) -> Iterator[FoundChange]:
    if pair.kind is OperationChangeKind.RESPELLED and pair.old is not None and pair.new is not None:
        yield change_between(
            pair.old,
            pair.new,
            old=pair.old.path,
            new=pair.new.path,
            hint=phrase("use exactly this path: %(path)s", path=pair.new.path),
        )


def _path_regrouped(pair: OperationChange) -> Iterator[FoundChange]:
    if pair.kind is OperationChangeKind.REGROUPED and pair.old is not None and pair.new is not None:
        yield change_between(
            pair.old, pair.new, old=_method_and_path(pair.old), new=_method_and_path(pair.new)
        )


def _path_shadowed(pair: OperationChange) -> Iterator[FoundChange]:
    new = pair.new
    if pair.kind is not OperationChangeKind.ADDED or new is None or not pair.is_new_path:
        return
    old_operations = {
        operation.path: operation
        for operation in pair.contracts.old.operations
        if operation.method == new.method
    }
    for template in sorted(templates_matching(new.path, old_operations)):
        if not refuses_path(pair.contracts.old, old_operations[template], new.path):
            yield FoundChange(old=template, new=new.path, new_location=new.location)


OPERATION_CHANGE_RULES: tuple[Rule[OperationChange], ...] = (
    Rule(
        id="path.added",
        area=Area.OPERATION,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("%(new)s is added, on a new path"),
        find=_path_added,
        mirror="operation.removed",
        waiver="what is new breaks nobody, what is gone does",
    ),
    Rule(
        id="operation.added",
        area=Area.OPERATION,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("%(new)s is added"),
        find=_operation_added,
        mirror="operation.removed",
        waiver="what is new breaks nobody, what is gone does",
    ),
    Rule(
        id="operation.removed",
        area=Area.OPERATION,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("%(old)s is removed"),
        find=_operation_removed,
        mirror="operation.added",
        waiver="what is new breaks nobody, what is gone does",
    ),
    Rule(
        id="operation.moved",
        area=Area.OPERATION,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the operation is moved from %(old)s to %(new)s"),
        find=_operation_moved,
    ),
    Rule(
        id="path.renamed.case-or-slash",
        area=Area.OPERATION,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the path %(old)s is now written %(new)s, which is a different URL"),
        find=_path_respelled,
    ),
    Rule(
        id="path.regrouped",
        area=Area.OPERATION,
        action=Action.CHANGED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop(
            "this operation is now described as %(new)s instead of %(old)s: its URL is the same"
        ),
        find=_path_regrouped,
    ),
    Rule(
        id="path.shadowed",
        area=Area.OPERATION,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("%(new)s now receives the requests that %(old)s received"),
        find=_path_shadowed,
        waiver="the template handles the requests of a removed path, which its removal already reports",
    ),
)
