"""What any part of a contract may carry beside what it is: internal, stability, sunset, successor, links."""

from devportal.contract.keywords import KEYWORD_BY_NAME
from devportal.contract.read.source import Node
from devportal.contract.schemas import ExternalDocs, Grounds, Location, Stability
from devportal.contract.wording import quote_value
from devportal.findings import Level

STABILITY_KEYS = ("x-stability-level", "x-beta-keywords", "x-beta-values", "x-source", "x-decision")
"""How a part may say how stable it is, or rather: something of it."""
GROUNDS_KEYS = ("x-source", "x-decision")
"""The extensions that name where a part is documented, and which decisions propose it."""
SUCCESSOR_KEYS = ("x-successor-operation-id", "x-successorOperationId", "x-successor", "x-replaced-by")
"""The spellings in use for the operation that takes the place of a deprecated one; there is no standard."""
ENUM_DESCRIPTION_KEYS = KEYWORD_BY_NAME["x-enumDescriptions"].names
ENUM_NAME_KEYS = KEYWORD_BY_NAME["x-enum-varnames"].names
"""The spellings in use for the descriptions of enum values, and for their names in code."""


def is_internal(node: Node) -> bool:
    """Say whether a part is marked `x-internal: true` and so never published."""
    return isinstance(node.value, dict) and node.value.get("x-internal") is True


def leads_to_internal(node: Node) -> bool:
    """Say whether a part, or one that its chain of references leads to, is marked as internal."""
    value = node.value
    if not isinstance(value, dict):
        return False
    if not node.source.has_internal or ("x-internal" not in value and "$ref" not in value):
        return False
    cache = node.source.leads_to_internal
    current: Node | None = node
    seen: dict[Location, None] = {}
    while current is not None and current.location not in seen and current.location not in cache:
        if is_internal(current):
            cache[current.location] = True
            break
        seen[current.location] = None
        reference = current.value.get("$ref") if isinstance(current.value, dict) else None
        current = current.source.follow(reference, current.location) if isinstance(reference, str) else None
    result = current is not None and cache.get(current.location, False)
    cache.update(dict.fromkeys(seen, result))
    return result


def resolve_published(item: Node) -> Node | None:
    """Return the target of a part's references; None if it is broken, or internal where it is used or
    declared.
    """
    if is_internal(item):
        return None
    node = item.resolve()
    return None if node is None or is_internal(node) else node


def read_stability(node: Node) -> Stability | None:
    """Return `x-stability-level`, None if it is not written; reports a level that does not exist."""
    level = node.text("x-stability-level")
    if not level:
        return None
    try:
        return Stability(level)
    except ValueError:
        node.report(
            "contract-stability",
            f"{quote_value(level)} is not a stability level",
            help=f"one of {', '.join(Stability)}",
            level=Level.WARNING,
        )
        return None


def read_unknown_stability(node: Node) -> str:
    """Return `x-stability-level` if it is not a level that exists, empty if it is one or is not written."""
    level = node.value.get("x-stability-level") if isinstance(node.value, dict) else None
    return level if isinstance(level, str) and level and level not in set(Stability) else ""


def read_grounds(node: Node) -> Grounds | None:
    """Return `x-source` and `x-decision`, each a text or a list of texts; None if both are absent."""
    sources, decisions = (_text_or_list(node, key) for key in GROUNDS_KEYS)
    return Grounds(sources=sources, decisions=decisions) if sources or decisions else None


def _text_or_list(node: Node, key: str) -> tuple[str, ...]:
    if not node.has(key):
        return ()
    texts = node.texts(key) if isinstance(node.value[key], list) else (node.text(key),)
    return tuple(text.strip() for text in texts if text.strip())


def read_renamed_from(node: Node) -> tuple[str, ...]:
    """Return `x-renamed-from`: the earlier names of a part, one text or a list of texts."""
    return _text_or_list(node, "x-renamed-from")


def read_successor(node: Node) -> str:
    """Return the successor of a deprecated part as written: mostly an operationId."""
    return next(filter(None, (node.text(key).strip() for key in SUCCESSOR_KEYS)), "")


def read_external_docs(node: Node) -> ExternalDocs | None:
    """Return the link to documentation elsewhere, if there is one."""
    docs = node.mapping("externalDocs")
    if docs is None or not docs.text("url") or is_internal(docs):
        return None
    return ExternalDocs(url=docs.text("url"), description=docs.text("description"))
