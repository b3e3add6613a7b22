"""How rows of schema rules are written: what narrows a schema, what widens it, and for which type."""

from collections.abc import Callable, Iterator

from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.differ.schemas.pair import SchemaPair

Find = Callable[[SchemaPair], Iterator[FoundChange]]
SchemaRule = Rule[SchemaPair]


def schema_rule(
    id: str,  # noqa: A002 - as the field
    action: Action,
    verdicts: tuple[Verdict | None, Verdict | None],
    says: str,
    find: Find,
    *,
    mirror: str = "",
    waiver: str = "",
    is_softened: bool = True,
) -> SchemaRule:
    """Return a row; `verdicts` are those of what the consumer sends and of what the provider sends."""
    return Rule(
        id=id,
        area=Area.SCHEMA,
        action=action,
        to_provider=verdicts[0],
        to_consumer=verdicts[1],
        says=says,
        find=find,
        mirror=mirror,
        waiver=waiver,
        is_softened=is_softened,
    )


def narrowing_rule(
    id: str,  # noqa: A002 - as the field
    says: str,
    find: Find,
    *,
    mirror: str,
    action: Action = Action.NARROWED,
    waiver: str = "",
) -> SchemaRule:
    """Return the row of what allows less than before: it breaks who sends."""
    verdicts = (Verdict.BREAKING, Verdict.COMPATIBLE)
    return schema_rule(id, action, verdicts, says, find, mirror=mirror, waiver=waiver)


def widening_rule(
    id: str,  # noqa: A002 - as the field
    says: str,
    find: Find,
    *,
    mirror: str,
    action: Action = Action.WIDENED,
) -> SchemaRule:
    """Return the row of what allows more than before: it breaks who receives."""
    verdicts = (Verdict.COMPATIBLE, Verdict.BREAKING)
    return schema_rule(id, action, verdicts, says, find, mirror=mirror)


def only_for_type(kind: str) -> Callable[[Find], Find]:
    """Return a decorator that limits a rule to values that may be of a type on both sides."""

    def limit_to_type(find: Find) -> Find:
        def find_for_type(pair: SchemaPair) -> Iterator[FoundChange]:
            if pair.may_both_be_of_type(kind):
                yield from find(pair)

        return find_for_type

    return limit_to_type


only_for_objects = only_for_type("object")
only_for_arrays = only_for_type("array")
