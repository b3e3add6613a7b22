"""Rules of the contract as a whole: its version, its dialect, its metadata."""

from collections.abc import Iterator

from devportal.contract import Api
from devportal.differ.part_pair import DocumentPair
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict

_R, _N = Verdict.RISKY, Verdict.DOCUMENTATION


def _openapi_changed(pair: DocumentPair) -> Iterator[FoundChange]:
    old, new = pair.contracts.old.openapi, pair.contracts.new.openapi
    if old.split(".")[:2] != new.split(".")[:2]:
        yield FoundChange(old=old, new=new)


def _dialect_changed(pair: DocumentPair) -> Iterator[FoundChange]:
    old, new = pair.contracts.old.dialect, pair.contracts.new.dialect
    if old != new:
        yield FoundChange(old=old or "that of the OAS", new=new or "that of the OAS")


def _info_changed(pair: DocumentPair) -> Iterator[FoundChange]:
    old, new = _info_fields(pair.contracts.old), _info_fields(pair.contracts.new)
    changed = [name for name in old if old[name] != new[name]]
    if changed:
        yield FoundChange(names={"what": ", ".join(changed)})


def _info_fields(api: Api) -> dict[str, object]:
    return {
        "title": api.title,
        "summary": api.summary,
        "description": api.description,
        "terms of service": api.terms_of_service,
        "contact": api.contact,
        "licence": api.license,
        "external documentation": api.external_docs,
        "tags": api.tags,
        "groups of tags": api.tag_groups,
        "descriptions of servers": _server_texts(api),
    }


def _server_texts(api: Api) -> list[tuple[str, ...]]:
    """Return the texts of the servers that have any, sorted; their addresses have rules of their own."""
    texts = (
        (one.name, one.description, *(variable.description for variable in one.variables))
        for one in api.servers
    )
    return sorted(one for one in texts if any(one))


DOCUMENT_RULES: tuple[Rule[DocumentPair], ...] = (
    Rule(
        id="doc.openapi.changed",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says="the OpenAPI version is {new} instead of {old}",
        find=_openapi_changed,
    ),
    Rule(
        id="doc.dialect.changed",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says="the dialect of schemas is {new} instead of {old}, so keywords may mean something else",
        find=_dialect_changed,
    ),
    Rule(
        id="doc.info.changed",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says="the description of the API is changed: {what}",
        find=_info_changed,
    ),
)
