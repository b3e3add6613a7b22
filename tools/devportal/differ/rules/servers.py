"""Rules of servers: where requests go."""

from collections.abc import Iterator

from devportal.contract import ABSENT
from devportal.differ.match.servers import (
    ServerPair,
    match_servers,
    match_variables,
    may_be_same_address,
    may_have_address_of,
    values_at_other_addresses,
)
from devportal.differ.phrase import list_phrase, phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict, quote_value
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE
_N = Verdict.DOCUMENTATION


def _server_added(pair: ServerPair) -> Iterator[FoundChange]:
    """A first list may send clients to another address than `/`, for which none stands (OAS 3.0.3 §4.7.1)."""
    for server in match_servers(pair).added:
        is_first = not pair.old and server is pair.new[0]
        yield FoundChange(
            new=server.url,
            verdict=_R if is_first else None,
            reason=phrase('no server was listed before, which means "/"') if is_first else "",
        )


def _server_removed(pair: ServerPair) -> Iterator[FoundChange]:
    """Clients mostly take the first server; the others are for those who chose them."""
    for server in match_servers(pair).removed:
        is_main = server is pair.old[0]
        yield FoundChange(old=server.url, verdict=_B if is_main else None)


def _url_changed(pair: ServerPair) -> Iterator[FoundChange]:
    for old, new in match_servers(pair).replaced:
        if may_be_same_address(old, new, pair.prefixes):
            yield FoundChange(old=old.url, new=new.url, verdict=_R, reason=_RELATIVE)
            continue
        if may_have_address_of(new, old, pair.prefixes):
            yield FoundChange(old=old.url, new=new.url, verdict=_R, reason=_ANY_VALUE)
            continue
        yield FoundChange(
            old=old.url, new=new.url, hint=phrase("send requests to %(address)s", address=new.address)
        )


_RELATIVE = phrase("one is relative to the address of the contract, so both may be the same")
_ANY_VALUE = phrase("its variables can have any values, so it may still be the old address")


def _variable_values_removed(pair: ServerPair) -> Iterator[FoundChange]:
    matching = match_servers(pair)
    for old, new in matching.kept:
        after = match_variables(old, new)
        for before in old.variables:
            one = after.get(before.name)
            lost = values_at_other_addresses(old, pair.prefixes[0], before, matching.new_addresses)
            if one is None:
                if lost or not before.enum:
                    names = {"variable": before.name, "what": list_phrase(map(quote_value, lost))}
                    says = _VARIABLE_REMOVED if len(lost) == len(before.enum) else ""
                    yield FoundChange(old=before.name, names=names, says=says)
                continue
            removed = [value for value in lost if one.enum and value not in one.enum]
            if removed or (one.enum and not before.enum):
                listed_values = list_phrase(map(quote_value, removed)) or phrase("every other value")
                yield FoundChange(
                    old=list(before.enum) or ABSENT,
                    new=list(one.enum),
                    names={"variable": before.name, "what": listed_values},
                )


def _variable_values_added(pair: ServerPair) -> Iterator[FoundChange]:
    matching = match_servers(pair)
    for old, new in matching.kept:
        before = match_variables(new, old)
        for after in new.variables:
            one = before.get(after.name)
            gained = values_at_other_addresses(new, pair.prefixes[1], after, matching.old_addresses)
            if one is None:
                if gained or not after.enum:
                    names = {"variable": after.name, "what": list_phrase(map(quote_value, gained))}
                    says = _VARIABLE_ADDED if len(gained) == len(after.enum) else ""
                    yield FoundChange(new=after.name, names=names, says=says)
                continue
            added = [value for value in gained if one.enum and value not in one.enum]
            if added or (one.enum and not after.enum):
                listed_values = list_phrase(map(quote_value, added)) or phrase("every other value")
                yield FoundChange(
                    old=list(one.enum),
                    new=list(after.enum) or ABSENT,
                    names={"variable": after.name, "what": listed_values},
                )


_VARIABLE_REMOVED = gettext_noop("the server variable %(variable)s is removed, so its value is fixed")
_VARIABLE_ADDED = gettext_noop("the server variable %(variable)s is added, so its value is no longer fixed")
"""What to say of a variable if none of its values is an address of the other contract, or any value is allowed."""


def _default_changed(pair: ServerPair) -> Iterator[FoundChange]:
    for old, new in match_servers(pair).kept:
        before = match_variables(new, old)
        for after in new.variables:
            one = before.get(after.name)
            if one is not None and one.default != after.default:
                yield FoundChange(old=one.default, new=after.default, names={"variable": after.name})


def _server_order_changed(pair: ServerPair) -> Iterator[FoundChange]:
    """No server was moved, but clients that use the first one now use another one."""
    after = {id(old): new for old, new in match_servers(pair).kept}
    if pair.old and pair.new and after.get(id(pair.old[0]), pair.new[0]) is not pair.new[0]:
        yield FoundChange(old=pair.old[0].url, new=pair.new[0].url)


def _operation_servers_changed(pair: ServerPair) -> Iterator[FoundChange]:
    """What changes the servers of all operations changes those of one."""
    found_changes = [(rule, change) for rule in SERVER_RULES for change in rule.find(pair)]
    verdicts = [change.verdict or rule.to_provider for rule, change in found_changes]
    worst = max(
        (verdict for verdict in verdicts if verdict is not None),
        key=lambda verdict: verdict.rank,
        default=None,
    )
    if worst is not None:
        yield FoundChange(
            old=[server.url for server in pair.old], new=[item.url for item in pair.new], verdict=worst
        )


SERVER_RULES: tuple[Rule[ServerPair], ...] = (
    Rule(
        id="server.added",
        area=Area.SERVER,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the server %(new)s is added"),
        find=_server_added,
        mirror="server.removed",
        waiver="who uses a server misses it, nobody has to use a new one",
    ),
    Rule(
        id="server.removed",
        area=Area.SERVER,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the server %(old)s is removed"),
        find=_server_removed,
        mirror="server.added",
        waiver="who uses a server misses it, nobody has to use a new one",
    ),
    Rule(
        id="server.url.changed",
        area=Area.SERVER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the server URL is %(new)s instead of %(old)s"),
        find=_url_changed,
    ),
    Rule(
        id="server.variable.enum.removed",
        area=Area.SERVER,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the server variable %(variable)s no longer allows %(what)s"),
        find=_variable_values_removed,
        mirror="server.variable.enum.added",
        waiver="who uses an address misses it, nobody has to use a new one",
    ),
    Rule(
        id="server.variable.enum.added",
        area=Area.SERVER,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the server variable %(variable)s also allows %(what)s"),
        find=_variable_values_added,
        mirror="server.variable.enum.removed",
        waiver="who uses an address misses it, nobody has to use a new one",
    ),
    Rule(
        id="server.variable.default.changed",
        area=Area.SERVER,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the default of the server variable %(variable)s is %(new)s instead of %(old)s"),
        find=_default_changed,
    ),
    Rule(
        id="server.order.changed",
        area=Area.SERVER,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the first server is %(new)s instead of %(old)s, which is still listed"),
        find=_server_order_changed,
    ),
)

OPERATION_SERVER_RULES: tuple[Rule[ServerPair], ...] = (
    Rule(
        id="operation.server.changed",
        area=Area.SERVER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the servers of the operation are %(new)s instead of %(old)s"),
        find=_operation_servers_changed,
    ),
)
