"""Rules of the contract as a whole: its version, its dialect, its metadata."""

from collections.abc import Iterator

from devportal.contract import ABSENT, Api, Server
from devportal.differ.part_pair import DocumentPair
from devportal.differ.phrase import list_phrase, phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict, quote_value
from devportal.translation import gettext_noop

_R, _N = Verdict.RISKY, Verdict.DOCUMENTATION


def _openapi_changed(pair: DocumentPair) -> Iterator[FoundChange]:
    old, new = pair.contracts.old.openapi, pair.contracts.new.openapi
    if old.split(".")[:2] != new.split(".")[:2]:
        yield FoundChange(old=old, new=new)


def _dialect_changed(pair: DocumentPair) -> Iterator[FoundChange]:
    old, new = pair.contracts.old.dialect, pair.contracts.new.dialect
    if old != new:
        yield FoundChange(
            old=old or ABSENT,
            new=new or ABSENT,
            names={"old": _dialect_name(old), "new": _dialect_name(new)},
        )


def _dialect_name(dialect: str) -> str:
    return quote_value(dialect) if dialect else phrase("that of the OAS")


def _info_changed(pair: DocumentPair) -> Iterator[FoundChange]:
    old, new = _info_fields(pair.contracts.old), _info_fields(pair.contracts.new)
    changed = [name for name in old if old[name] != new[name]]
    if changed:
        yield FoundChange(names={"what": list_phrase(changed)})


def _info_fields(api: Api) -> dict[str, object]:
    return {
        phrase("title"): api.title,
        phrase("summary"): api.summary,
        phrase("description"): api.description,
        phrase("terms of service"): api.terms_of_service,
        phrase("contact"): api.contact,
        phrase("licence"): api.license,
        phrase("external documentation"): api.external_docs,
        phrase("tags"): api.tags,
        phrase("groups of tags"): api.tag_groups,
        phrase("descriptions of servers"): server_texts(api.servers),
    }


def server_texts(servers: tuple[Server, ...]) -> list[tuple[str, ...]]:
    """Return the texts of the servers that have any, sorted; their addresses have separate rules."""
    texts = (
        (
            server.name,
            server.description,
            *(variable.description for variable in sorted(server.variables, key=lambda each: each.name)),
        )
        for server in servers
    )
    return sorted(text for text in texts if any(text))


DOCUMENT_RULES: tuple[Rule[DocumentPair], ...] = (
    Rule(
        id="doc.openapi.changed",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the OpenAPI version is %(new)s instead of %(old)s"),
        find=_openapi_changed,
    ),
    Rule(
        id="doc.dialect.changed",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop(
            "the dialect of schemas is %(new)s instead of %(old)s, so keywords may mean something else"
        ),
        find=_dialect_changed,
    ),
    Rule(
        id="doc.info.changed",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the description of the API is changed: %(what)s"),
        find=_info_changed,
    ),
)
