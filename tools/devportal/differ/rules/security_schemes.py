"""Rules of security schemes: how credentials are sent, and how to get them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Unpack

from devportal.contract import ABSENT, OAuthFlow, SecurityScheme
from devportal.differ.match.credentials import SchemePair
from devportal.differ.match.security_schemes import credential_transport
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict, quote_value
from devportal.differ.rules.part_changes import FoundChangeFields, change_between, edited_texts
from devportal.translation import gettext_noop

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION


def _type_changed(pair: SchemePair) -> Iterator[FoundChange]:
    old, new = credential_transport(pair.old), credential_transport(pair.new)
    if old != new:
        yield _scheme_change(
            pair,
            {"old": describe_transport(pair.old), "new": describe_transport(pair.new)},
            old=list(filter(None, old)),
            new=list(filter(None, new)),
        )


def describe_transport(scheme: SecurityScheme) -> str:
    """Return how a credential is sent in words: `the header "X-Api-Key"`."""
    message = _TRANSPORTS.get((scheme.kind, scheme.carrier)) or _TRANSPORTS.get((scheme.kind, ""))
    name = quote_value(scheme.parameter or scheme.scheme or scheme.kind)
    return phrase(message, name=name) if message is not None else name


_TRANSPORTS = {
    ("apiKey", "header"): gettext_noop("the header %(name)s"),
    ("apiKey", "query"): gettext_noop("the query parameter %(name)s"),
    ("apiKey", "cookie"): gettext_noop("the cookie %(name)s"),
    ("http", ""): gettext_noop("HTTP authentication %(name)s"),
    ("oauth2", ""): gettext_noop("an OAuth 2.0 access token"),
    ("openIdConnect", ""): gettext_noop("an OpenID Connect token"),
    ("mutualTLS", ""): gettext_noop("a TLS client certificate"),
}


def _bearer_format_changed(pair: SchemePair) -> Iterator[FoundChange]:
    if pair.old.bearer_format != pair.new.bearer_format and credential_transport(
        pair.old
    ) == credential_transport(pair.new):
        yield _scheme_change(pair, old=pair.old.bearer_format or ABSENT, new=pair.new.bearer_format or ABSENT)


def _flows(scheme: SecurityScheme) -> dict[str, OAuthFlow]:
    return {flow.kind: flow for flow in scheme.flows} if scheme.kind == "oauth2" else {}


def _flow_removed(pair: SchemePair) -> Iterator[FoundChange]:
    if pair.new.kind == pair.old.kind:
        for kind in sorted(_flows(pair.old).keys() - _flows(pair.new).keys()):
            yield _scheme_change(pair, old=kind)


def _flow_added(pair: SchemePair) -> Iterator[FoundChange]:
    if pair.new.kind == pair.old.kind:
        for kind in sorted(_flows(pair.new).keys() - _flows(pair.old).keys()):
            yield _scheme_change(pair, new=kind)


_ADDRESSES: tuple[tuple[str, Callable[[OAuthFlow], str]], ...] = (
    (phrase("authorization URL"), lambda flow: flow.authorization_url),
    (phrase("device authorization URL"), lambda flow: flow.device_authorization_url),
    (phrase("token URL"), lambda flow: flow.token_url),
    (phrase("refresh URL"), lambda flow: flow.refresh_url),
)


def _url_changed(pair: SchemePair) -> Iterator[FoundChange]:
    after = _flows(pair.new)
    for kind, flow in _flows(pair.old).items():
        for name, address in _ADDRESSES:
            if kind in after and address(flow) != address(after[kind]):
                yield _url_change(
                    pair,
                    phrase("%(address)s of the flow %(flow)s", address=name, flow=kind),
                    address(flow),
                    address(after[kind]),
                )
    if pair.old.openid_url != pair.new.openid_url and pair.old.kind == pair.new.kind:
        yield _url_change(pair, phrase("OpenID Connect URL"), pair.old.openid_url, pair.new.openid_url)
    old, new = pair.old.oauth_metadata_url, pair.new.oauth_metadata_url
    if old != new and pair.old.kind == pair.new.kind:
        yield _url_change(pair, phrase("OAuth metadata URL"), old, new)


def _url_change(pair: SchemePair, name: str, old: str, new: str) -> FoundChange:
    return _scheme_change(
        pair,
        old=old or ABSENT,
        new=new or ABSENT,
        verdict=pair.operation.policy.oauth_url if old else _C,
        names={"address": name},
    )


def _scope_undeclared(pair: SchemePair) -> Iterator[FoundChange]:
    after = _flows(pair.new)
    for kind, flow in _flows(pair.old).items():
        if kind not in after:
            continue
        declared = {name for name, _ in after[kind].scopes}
        for scope, _ in flow.scopes:
            if scope not in declared:
                is_needed = scope in pair.needed
                reason = phrase("an operation needs it") if is_needed else ""
                verdict = _B if is_needed else None
                yield _scheme_change(pair, old=scope, verdict=verdict, names={"flow": kind}, reason=reason)


def _scope_declared(pair: SchemePair) -> Iterator[FoundChange]:
    before = _flows(pair.old)
    for kind, flow in _flows(pair.new).items():
        if kind in before:
            offered = {name for name, _ in before[kind].scopes}
            for scope, _ in flow.scopes:
                if scope not in offered:
                    yield _scheme_change(pair, new=scope, names={"flow": kind})


def _text_changed(pair: SchemePair) -> Iterator[FoundChange]:
    texts = edited_texts(_texts(pair, pair.old), _texts(pair, pair.new))
    if texts:
        yield _scheme_change(pair, names={"texts": texts})


def _texts(pair: SchemePair, scheme: SecurityScheme) -> dict[str, object]:
    """Return the descriptions of a scheme, and of the scopes that both contracts have."""
    kept_scopes = {name for flow in pair.old.flows for name, _ in flow.scopes}
    kept_scopes &= {name for flow in pair.new.flows for name, _ in flow.scopes}
    scope_descriptions = {
        (name, text) for flow in scheme.flows for name, text in flow.scopes if name in kept_scopes and text
    }
    return {
        phrase("description"): scheme.description,
        phrase("descriptions of scopes"): frozenset(scope_descriptions),
    }


def _scheme_change(
    pair: SchemePair, names: Mapping[str, str] | None = None, **fields: Unpack[FoundChangeFields]
) -> FoundChange:
    return change_between(pair.old, pair.new, names={"scheme": pair.new.name, **(names or {})}, **fields)


_WAIVER = "who used a flow that is gone gets no token, nobody has to use one that comes"

SCHEME_RULES: tuple[Rule[SchemePair], ...] = (
    Rule(
        id="security.scheme.type.changed",
        area=Area.SECURITY,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("credentials of %(scheme)s are sent as %(new)s instead of %(old)s"),
        find=_type_changed,
    ),
    Rule(
        id="security.bearer-format.changed",
        area=Area.SECURITY,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the documented format of the token is %(new)s instead of %(old)s"),
        find=_bearer_format_changed,
    ),
    Rule(
        id="security.oauth.flow.removed",
        area=Area.SECURITY,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the OAuth flow %(old)s of %(scheme)s is removed"),
        find=_flow_removed,
        mirror="security.oauth.flow.added",
        waiver=_WAIVER,
    ),
    Rule(
        id="security.oauth.flow.added",
        area=Area.SECURITY,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the OAuth flow %(new)s of %(scheme)s is added"),
        find=_flow_added,
        mirror="security.oauth.flow.removed",
        waiver=_WAIVER,
    ),
    Rule(
        id="security.oauth.url.changed",
        area=Area.SECURITY,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the %(address)s of %(scheme)s is %(new)s instead of %(old)s"),
        find=_url_changed,
    ),
    Rule(
        id="security.scope.undeclared",
        area=Area.SECURITY,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the flow %(flow)s of %(scheme)s no longer offers the scope %(old)s"),
        find=_scope_undeclared,
        mirror="security.scope.declared",
        waiver="a scope that is declared changes nothing until an operation needs it",
    ),
    Rule(
        id="security.scope.declared",
        area=Area.SECURITY,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the flow %(flow)s of %(scheme)s now offers the scope %(new)s"),
        find=_scope_declared,
        mirror="security.scope.undeclared",
        waiver="a scope that is declared changes nothing until an operation needs it",
    ),
    Rule(
        id="security.text.changed",
        area=Area.SECURITY,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the documentation of the security scheme %(scheme)s is changed (%(texts)s)"),
        find=_text_changed,
    ),
)
