"""Rules of security: what callers have to show, and how schemes work."""

from collections.abc import Callable, Iterator, Mapping
from typing import Unpack

from devportal.contract import ABSENT, OAuthFlow, SecurityScheme
from devportal.differ.credentials import Entry, SchemePair, SecurityPair
from devportal.differ.parts import DocumentPair
from devportal.differ.rule import Action, Area, Hit, Rule
from devportal.differ.rules.hits import Said, between
from devportal.differ.verdict import Verdict

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION


def _required(pair: SecurityPair) -> Iterator[Hit]:
    ways = pair.ways
    if not pair.is_event and ways.was_public and not ways.is_public:
        yield Hit(new=[_shown(one.new) for one in ways.pairs] + [_shown(one) for one in ways.added])


def _dropped(pair: SecurityPair) -> Iterator[Hit]:
    ways = pair.ways
    if not pair.is_event and ways.is_public and not ways.was_public:
        yield Hit(old=[_shown(one.old) for one in ways.pairs], reason="make sure that this is meant")


def _is_judged(pair: SecurityPair) -> bool:
    """Say whether ways are looked at one by one: not where all of them came or became needless."""
    return not pair.is_event and pair.ways.was_public == pair.ways.is_public


def _alternative_removed(pair: SecurityPair) -> Iterator[Hit]:
    if _is_judged(pair):
        for one in pair.ways.removed:
            yield Hit(old=_shown(one), at=_at(one))
        for one in pair.ways.spared:
            reason = "who used it is accepted in another way"
            yield Hit(old=_shown(one), at=_at(one), verdict=_C, reason=reason)


def _alternative_added(pair: SecurityPair) -> Iterator[Hit]:
    if _is_judged(pair):
        for one in pair.ways.added:
            yield Hit(new=_shown(one), at=_at(one))


def _scheme_added(pair: SecurityPair) -> Iterator[Hit]:
    if _is_judged(pair):
        for one in pair.ways.pairs:
            for name in one.schemes_added:
                yield Hit(new=name, at=_at(one.old), names={"way": _named(one.old)})


def _scheme_removed(pair: SecurityPair) -> Iterator[Hit]:
    if _is_judged(pair):
        for one in pair.ways.pairs:
            for name in one.schemes_removed:
                yield Hit(old=name, at=_at(one.old), names={"way": _named(one.new)})


def _scope_added(pair: SecurityPair) -> Iterator[Hit]:
    if _is_judged(pair):
        for one in (*pair.ways.pairs, pair.scopes):
            for name, scope in one.scopes_added:
                yield Hit(new=scope, at=_at(one.old), names={"way": name or "the token"})


def _scope_removed(pair: SecurityPair) -> Iterator[Hit]:
    if _is_judged(pair):
        for one in (*pair.ways.pairs, pair.scopes):
            for name, scope in one.scopes_removed:
                yield Hit(old=scope, at=_at(one.old), names={"way": name or "the token"})


def _event_changed(pair: SecurityPair) -> Iterator[Hit]:
    ways = pair.ways
    if not pair.is_event:
        return
    gone = [one.old for one in ways.pairs] + [*ways.removed, *ways.spared]
    came = [one.new for one in ways.pairs] + [*ways.added]
    old, new = [*map(_shown, gone)], [*map(_shown, came)]
    for scheme in pair.schemes:
        if _kind(scheme.old) != _kind(scheme.new):
            old.append({scheme.old.name: [*filter(None, _kind(scheme.old))]})
            new.append({scheme.new.name: [*filter(None, _kind(scheme.new))]})
    if old or new:
        yield Hit(old=old, new=new)


def _shown(entry: Entry) -> dict[str, list[str]]:
    return {name: sorted(scopes) for name, scopes in sorted(entry.items())}


def _named(entry: Entry) -> str:
    return " and ".join(sorted(entry)) or "no credential"


def _at(entry: Entry) -> str:
    return "".join(f".{name}" for name in sorted(entry) if name)


def _global_changed(pair: DocumentPair) -> Iterator[Hit]:
    """What the root asks for only counts where an operation says nothing itself."""
    old, new = pair.contracts.old, pair.contracts.new
    if set(old.security) == set(new.security):
        return
    is_inherited = not all(one.security_is_declared for one in (*old.operations, *new.operations))
    if not is_inherited:
        yield Hit()


def _type_changed(pair: SchemePair) -> Iterator[Hit]:
    old, new = _kind(pair.old), _kind(pair.new)
    if old != new:
        yield _scheme_hit(pair, old=list(filter(None, old)), new=list(filter(None, new)))


def _kind(scheme: SecurityScheme) -> tuple[str, str, str, str]:
    """Return how a credential is sent; names of headers and of HTTP schemes have no case (RFC 9110 §5.1)."""
    is_header = scheme.carrier == "header"
    name = scheme.parameter.casefold() if is_header else scheme.parameter
    return scheme.kind, scheme.scheme.casefold(), scheme.carrier, name


def _bearer_format_changed(pair: SchemePair) -> Iterator[Hit]:
    if pair.old.bearer_format != pair.new.bearer_format and _kind(pair.old) == _kind(pair.new):
        yield _scheme_hit(pair, old=pair.old.bearer_format or ABSENT, new=pair.new.bearer_format or ABSENT)


def _flows(scheme: SecurityScheme) -> dict[str, OAuthFlow]:
    return {flow.kind: flow for flow in scheme.flows} if scheme.kind == "oauth2" else {}


def _flow_removed(pair: SchemePair) -> Iterator[Hit]:
    if pair.new.kind == pair.old.kind:
        for kind in _flows(pair.old).keys() - _flows(pair.new).keys():
            yield _scheme_hit(pair, old=kind)


def _flow_added(pair: SchemePair) -> Iterator[Hit]:
    if pair.new.kind == pair.old.kind:
        for kind in _flows(pair.new).keys() - _flows(pair.old).keys():
            yield _scheme_hit(pair, new=kind)


_ADDRESSES: tuple[tuple[str, Callable[[OAuthFlow], str]], ...] = (
    ("authorization URL", lambda flow: flow.authorization_url),
    ("device authorization URL", lambda flow: flow.device_authorization_url),
    ("token URL", lambda flow: flow.token_url),
    ("refresh URL", lambda flow: flow.refresh_url),
)


def _url_changed(pair: SchemePair) -> Iterator[Hit]:
    after = _flows(pair.new)
    for kind, flow in _flows(pair.old).items():
        for name, address in _ADDRESSES:
            if kind in after and address(flow) != address(after[kind]):
                yield _url_hit(pair, f"{name} of the flow {kind}", address(flow), address(after[kind]))
    if pair.old.openid_url != pair.new.openid_url and pair.old.kind == pair.new.kind:
        yield _url_hit(pair, "OpenID Connect URL", pair.old.openid_url, pair.new.openid_url)


def _url_hit(pair: SchemePair, name: str, old: str, new: str) -> Hit:
    return _scheme_hit(
        pair,
        old=old or ABSENT,
        new=new or ABSENT,
        verdict=pair.operation.policy.oauth_url,
        names={"address": name},
    )


def _scope_undeclared(pair: SchemePair) -> Iterator[Hit]:
    after = _flows(pair.new)
    for kind, flow in _flows(pair.old).items():
        if kind not in after:
            continue
        left = {name for name, _ in after[kind].scopes}
        for scope, _ in flow.scopes:
            if scope not in left:
                is_needed = scope in pair.needed
                reason = "an operation needs it" if is_needed else ""
                verdict = _B if is_needed else None
                yield _scheme_hit(pair, old=scope, verdict=verdict, names={"flow": kind}, reason=reason)


def _text_changed(pair: SchemePair) -> Iterator[Hit]:
    if _texts(pair, pair.old) != _texts(pair, pair.new):
        yield _scheme_hit(pair)


def _texts(pair: SchemePair, scheme: SecurityScheme) -> tuple[object, ...]:
    """Return what is said of a scheme, and of the scopes that it had before and has still."""
    kept = {name for flow in pair.old.flows for name, _ in flow.scopes}
    kept &= {name for flow in pair.new.flows for name, _ in flow.scopes}
    told = {(name, text) for flow in scheme.flows for name, text in flow.scopes if name in kept}
    return scheme.description, frozenset(told)


def _scheme_hit(pair: SchemePair, names: Mapping[str, str] | None = None, **said: Unpack[Said]) -> Hit:
    return between(pair.old, pair.new, names={"scheme": pair.new.name, **(names or {})}, **said)


_ASKED = "who has to show more is refused, who may show less is not"

SECURITY_RULES: tuple[Rule[SecurityPair], ...] = (
    Rule(
        id="security.required",
        area=Area.SECURITY,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_B,
        says="the operation needs credentials, which it did not: {new}",
        find=_required,
        mirror="security.dropped",
        waiver=_ASKED,
    ),
    Rule(
        id="security.dropped",
        area=Area.SECURITY,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_C,
        says="the operation no longer needs credentials",
        find=_dropped,
        mirror="security.required",
        waiver=_ASKED,
    ),
    Rule(
        id="security.alternative.removed",
        area=Area.SECURITY,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says="the way to authenticate {old} is no longer accepted",
        find=_alternative_removed,
        mirror="security.alternative.added",
        waiver=_ASKED,
    ),
    Rule(
        id="security.alternative.added",
        area=Area.SECURITY,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says="the way to authenticate {new} is accepted, too",
        find=_alternative_added,
        mirror="security.alternative.removed",
        waiver=_ASKED,
    ),
    Rule(
        id="security.scheme.added",
        area=Area.SECURITY,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_B,
        says="the credential {new} is needed together with {way}",
        find=_scheme_added,
        mirror="security.scheme.removed",
        waiver=_ASKED,
    ),
    Rule(
        id="security.scheme.removed",
        area=Area.SECURITY,
        action=Action.REMOVED,
        to_provider=_C,
        to_consumer=_C,
        says="the credential {old} is no longer needed together with {way}",
        find=_scheme_removed,
        mirror="security.scheme.added",
        waiver=_ASKED,
    ),
    Rule(
        id="security.scope.added",
        area=Area.SECURITY,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_B,
        says="the scope {new} is needed of {way}",
        find=_scope_added,
        mirror="security.scope.removed",
        waiver=_ASKED,
    ),
    Rule(
        id="security.scope.removed",
        area=Area.SECURITY,
        action=Action.REMOVED,
        to_provider=_C,
        to_consumer=_C,
        says="the scope {old} is no longer needed of {way}",
        find=_scope_removed,
        mirror="security.scope.added",
        waiver=_ASKED,
    ),
    Rule(
        id="webhook.security.changed",
        area=Area.WEBHOOK,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says="the event authenticates itself by {new} instead of {old}",
        find=_event_changed,
    ),
)

GLOBAL_RULES: tuple[Rule[DocumentPair], ...] = (
    Rule(
        id="security.global.changed",
        area=Area.SECURITY,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says="what operations require that say nothing has changed, and each of them says something",
        find=_global_changed,
    ),
)

SCHEME_RULES: tuple[Rule[SchemePair], ...] = (
    Rule(
        id="security.scheme.type.changed",
        area=Area.SECURITY,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says="credentials of {scheme} are sent as {new} instead of {old}",
        find=_type_changed,
    ),
    Rule(
        id="security.bearer-format.changed",
        area=Area.SECURITY,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says="the format of the token is told as {new} instead of {old}",
        find=_bearer_format_changed,
    ),
    Rule(
        id="security.oauth.flow.removed",
        area=Area.SECURITY,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says="the OAuth flow {old} of {scheme} is gone",
        find=_flow_removed,
        mirror="security.oauth.flow.added",
        waiver=_ASKED,
    ),
    Rule(
        id="security.oauth.flow.added",
        area=Area.SECURITY,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says="{scheme} has the OAuth flow {new}, too",
        find=_flow_added,
        mirror="security.oauth.flow.removed",
        waiver=_ASKED,
    ),
    Rule(
        id="security.oauth.url.changed",
        area=Area.SECURITY,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says="the {address} of {scheme} is {new} instead of {old}",
        find=_url_changed,
    ),
    Rule(
        id="security.scope.undeclared",
        area=Area.SECURITY,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_R,
        says="the flow {flow} of {scheme} can no longer grant the scope {old}",
        find=_scope_undeclared,
        waiver="a scope that is declared changes nothing until an operation needs it",
    ),
    Rule(
        id="security.text.changed",
        area=Area.SECURITY,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says="the security scheme {scheme} is described differently",
        find=_text_changed,
    ),
)
