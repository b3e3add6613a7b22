"""Rules of security: what callers of an operation have to show, and how events authenticate themselves."""

from collections.abc import Iterator, Sequence
from typing import Any

from devportal.contract import SecurityScheme
from devportal.differ.match.credentials import SecurityAlternative, SecurityPair, SplitAlternative
from devportal.differ.match.security_schemes import credential_transport
from devportal.differ.part_pair import DocumentPair
from devportal.differ.phrase import and_phrase, compose, or_phrase, phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict, quote_value
from devportal.differ.rules.security_schemes import describe_transport
from devportal.translation import gettext_noop

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION


def _authentication_required(pair: SecurityPair) -> Iterator[FoundChange]:
    alternatives = pair.alternatives
    if not pair.is_event and alternatives.was_public and not alternatives.is_public:
        yield FoundChange(
            new=[_alternative_value(item) for item in alternatives.new],
            names={"credentials": or_phrase(map(_alternative_words, alternatives.new))},
            verdict=_C if pair.parameters_before else None,
            reason=_sent_before(pair.parameters_before),
        )


def _sent_before(names: Sequence[str]) -> str:
    """Return what each request had all along, though as parameters, empty if there is no such thing."""
    if not names:
        return ""
    return phrase(
        "each request already had %(names)s as a parameter",
        names=and_phrase(map(quote_value, names)),
    )


def _authentication_dropped(pair: SecurityPair) -> Iterator[FoundChange]:
    alternatives = pair.alternatives
    if not pair.is_event and alternatives.is_public and not alternatives.was_public:
        yield FoundChange(
            old=[_alternative_value(item) for item in alternatives.old],
            names={"credentials": or_phrase(map(_alternative_words, alternatives.old))},
            reason=phrase("make sure that this is intended"),
        )


def _is_compared_one_by_one(pair: SecurityPair) -> bool:
    """Return whether alternatives are compared one by one: not if authentication as a whole was added or
    dropped.
    """
    return not pair.is_event and pair.alternatives.was_public == pair.alternatives.is_public


def _alternative_removed(pair: SecurityPair) -> Iterator[FoundChange]:
    if _is_compared_one_by_one(pair):
        for item in pair.alternatives.removed:
            yield _alternative_change(item, old=_alternative_value(item))
        for item in pair.alternatives.merged:
            yield _alternative_change(item, old=_alternative_value(item), verdict=_R, reason=_SENT_ALIKE)
        for item in pair.alternatives.spared:
            reason = phrase("callers that used it are accepted in another way")
            yield _alternative_change(item, old=_alternative_value(item), verdict=_C, reason=reason)


_SENT_ALIKE = phrase(
    "another one that stays is sent in the same way, but the contract does not show whether it serves as well"
)


def _alternative_added(pair: SecurityPair) -> Iterator[FoundChange]:
    if _is_compared_one_by_one(pair):
        for item in pair.alternatives.added:
            yield _alternative_change(item, new=_alternative_value(item))


def _scheme_exchanged(pair: SecurityPair) -> Iterator[FoundChange]:
    if _is_compared_one_by_one(pair):
        for exchange in pair.alternatives.exchanged:
            yield FoundChange(
                old=_alternative_value(exchange.old),
                new=_alternative_value(exchange.new),
                at=_alternative_step(exchange.old),
                names={
                    "before": _alternative_words(exchange.old),
                    "now": _alternative_words(exchange.new),
                },
                reason=_MAY_BE_ANOTHER,
            )


_MAY_BE_ANOTHER = phrase(
    "both are sent in the same way, but the two contracts do not show whether one credential serves for both"
)


def _scheme_added(pair: SecurityPair) -> Iterator[FoundChange]:
    if _is_compared_one_by_one(pair):
        for joined in pair.alternatives.joined:
            yield FoundChange(
                old=[*map(_alternative_value, joined.parts)],
                new=_alternative_value(joined.whole),
                at=_alternative_step(joined.whole),
                names=_split_words(joined),
                says=gettext_noop("authentication now needs %(all)s together; %(parts)s was enough before"),
            )
        for alternative in pair.alternatives.pairs:
            for name in alternative.schemes_added:
                yield FoundChange(
                    new=name,
                    at=_alternative_step(alternative.old),
                    names={"way": _credential_names(alternative.old)},
                )


def _split_words(alternative: SplitAlternative) -> dict[str, str]:
    return {
        "all": _alternative_words(alternative.whole),
        "parts": or_phrase(sorted(map(_alternative_words, alternative.parts))),
    }


def _scheme_removed(pair: SecurityPair) -> Iterator[FoundChange]:
    if _is_compared_one_by_one(pair):
        for split in pair.alternatives.split:
            yield FoundChange(
                old=_alternative_value(split.whole),
                new=[*map(_alternative_value, split.parts)],
                at=_alternative_step(split.whole),
                names=_split_words(split),
                says=gettext_noop(
                    "authentication by %(parts)s is now enough; it needed %(all)s together before"
                ),
            )
        for alternative in pair.alternatives.pairs:
            for name in alternative.schemes_removed:
                yield FoundChange(
                    old=name,
                    at=_alternative_step(alternative.old),
                    names={"way": _credential_names(alternative.new)},
                )


def _scope_added(pair: SecurityPair) -> Iterator[FoundChange]:
    if _is_compared_one_by_one(pair):
        for alternative in (*pair.alternatives.pairs, pair.scopes):
            for name, scope in alternative.scopes_added:
                yield FoundChange(
                    new=scope,
                    at=_alternative_step(alternative.old),
                    names={"way": name or phrase("the token")},
                )


def _scope_removed(pair: SecurityPair) -> Iterator[FoundChange]:
    if _is_compared_one_by_one(pair):
        for alternative in (*pair.alternatives.pairs, pair.scopes):
            for name, scope in alternative.scopes_removed:
                yield FoundChange(
                    old=scope,
                    at=_alternative_step(alternative.old),
                    names={"way": name or phrase("the token")},
                )


def _event_changed(pair: SecurityPair) -> Iterator[FoundChange]:
    alternatives = pair.alternatives
    if not pair.is_event:
        return
    removed = [alternative.old for alternative in alternatives.pairs] + [
        *alternatives.removed,
        *alternatives.spared,
        *alternatives.merged,
    ]
    came = [alternative.new for alternative in alternatives.pairs] + [*alternatives.added]
    removed += [alternative.whole for alternative in alternatives.split]
    came += [part for alternative in alternatives.split for part in alternative.parts]
    removed += [part for alternative in alternatives.joined for part in alternative.parts]
    came += [alternative.whole for alternative in alternatives.joined]
    removed += [exchange.old for exchange in alternatives.exchanged]
    came += [exchange.new for exchange in alternatives.exchanged]
    old, new = [*map(_alternative_value, removed)], [*map(_alternative_value, came)]
    old_words, new_words = [*map(_alternative_words, removed)], [*map(_alternative_words, came)]
    for scheme in pair.schemes:
        if credential_transport(scheme.old) != credential_transport(scheme.new):
            old.append({scheme.old.name: [*filter(None, credential_transport(scheme.old))]})
            new.append({scheme.new.name: [*filter(None, credential_transport(scheme.new))]})
            old_words.append(_scheme_words(scheme.old))
            new_words.append(_scheme_words(scheme.new))
    if old or new:
        is_only_more = alternatives.was_public and not any(old)
        yield FoundChange(
            old=old,
            new=new,
            names={"old": or_phrase(old_words), "new": or_phrase(new_words)},
            says=_event_sentence(old, new),
            verdict=_C if is_only_more else None,
            reason=_UNCHECKED if is_only_more else "",
        )


_UNCHECKED = phrase("receivers that do not check it keep working")


def _event_sentence(old: Sequence[object], new: Sequence[object]) -> str:
    """Return the sentence about credentials that only one side has, empty for that of the rule.

    If neither side has any that the other lacks, the event may come without credentials on one side alone.
    """
    if any(old) and any(new):
        return ""
    if any(new):
        return gettext_noop("the event is now authenticated by %(new)s")
    if any(old):
        return gettext_noop("the event is no longer authenticated by %(old)s")
    if new:
        return gettext_noop("the event can now come without credentials")
    return gettext_noop("the event no longer comes without credentials")


def _scheme_words(scheme: SecurityScheme) -> str:
    return compose("%(name)s (%(transport)s)", name=scheme.name, transport=describe_transport(scheme))


def _alternative_value(entry: SecurityAlternative) -> dict[str, list[str]]:
    return {name: sorted(scopes) for name, scopes in sorted(entry.items())}


def _alternative_change(entry: SecurityAlternative, **values: Any) -> FoundChange:
    names = {"credentials": _alternative_words(entry)}
    return FoundChange(at=_alternative_step(entry), names=names, **values)


def _alternative_words(entry: SecurityAlternative) -> str:
    """Return credentials that are shown together in words: `key and login (scopes read and write)`."""
    words = []
    for name, scopes in sorted(entry.items()):
        message = (
            gettext_noop("%(name)s (scope %(scopes)s)")
            if len(scopes) == 1
            else gettext_noop("%(name)s (scopes %(scopes)s)")
        )
        words.append(phrase(message, name=name, scopes=and_phrase(sorted(scopes))) if scopes else name)
    return and_phrase(words) or phrase("no credential")


def _credential_names(entry: SecurityAlternative) -> str:
    return and_phrase(sorted(entry)) or phrase("no credential")


def _alternative_step(entry: SecurityAlternative) -> str:
    return "".join(f".{name}" for name in sorted(entry) if name)


def _global_changed(pair: DocumentPair) -> Iterator[FoundChange]:
    """The security of the root only counts for operations that declare none."""
    old, new = pair.contracts.old, pair.contracts.new
    if set(old.security) == set(new.security):
        return
    is_inherited = not all(operation.security_is_declared for operation in (*old.operations, *new.operations))
    if not is_inherited:
        yield FoundChange()


_WAIVER = "clients that must present more are rejected, clients that may present less are not"

SECURITY_RULES: tuple[Rule[SecurityPair], ...] = (
    Rule(
        id="security.required",
        area=Area.SECURITY,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("authentication is now required: %(credentials)s"),
        find=_authentication_required,
        mirror="security.dropped",
        waiver=_WAIVER,
    ),
    Rule(
        id="security.dropped",
        area=Area.SECURITY,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("authentication by %(credentials)s is no longer required"),
        find=_authentication_dropped,
        mirror="security.required",
        waiver=_WAIVER,
    ),
    Rule(
        id="security.alternative.removed",
        area=Area.SECURITY,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("authentication by %(credentials)s is no longer accepted"),
        find=_alternative_removed,
        mirror="security.alternative.added",
        waiver=_WAIVER,
    ),
    Rule(
        id="security.alternative.added",
        area=Area.SECURITY,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("authentication by %(credentials)s is also accepted"),
        find=_alternative_added,
        mirror="security.alternative.removed",
        waiver=_WAIVER,
    ),
    Rule(
        id="security.scheme.exchanged",
        area=Area.SECURITY,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("authentication is by %(now)s instead of %(before)s"),
        find=_scheme_exchanged,
    ),
    Rule(
        id="security.scheme.added",
        area=Area.SECURITY,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("%(new)s is now required together with %(way)s"),
        find=_scheme_added,
        mirror="security.scheme.removed",
        waiver=_WAIVER,
    ),
    Rule(
        id="security.scheme.removed",
        area=Area.SECURITY,
        action=Action.REMOVED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("%(old)s is no longer required together with %(way)s"),
        find=_scheme_removed,
        mirror="security.scheme.added",
        waiver=_WAIVER,
    ),
    Rule(
        id="security.scope.added",
        area=Area.SECURITY,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the scope %(new)s of %(way)s is now required"),
        find=_scope_added,
        mirror="security.scope.removed",
        waiver=_WAIVER,
    ),
    Rule(
        id="security.scope.removed",
        area=Area.SECURITY,
        action=Action.REMOVED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the scope %(old)s of %(way)s is no longer required"),
        find=_scope_removed,
        mirror="security.scope.added",
        waiver=_WAIVER,
    ),
    Rule(
        id="webhook.security.changed",
        area=Area.WEBHOOK,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the event is authenticated by %(new)s instead of %(old)s"),
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
        says=gettext_noop("the default security is changed, but every operation declares its own"),
        find=_global_changed,
    ),
)
