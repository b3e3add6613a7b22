"""What a change of a part allows beyond the two values that it shows: a part of its fingerprint."""

from typing import Any

from devportal.contract import Api
from devportal.differ.contract_sources import Contracts
from devportal.differ.match.credentials import SchemePair, SecurityPair
from devportal.differ.match.servers import ServerPair
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.pairs.content import ContentPair, MediaPair, ResponsesPair
from devportal.differ.pairs.header_pair import HeaderPair
from devportal.differ.pairs.lifecycle import Removal
from devportal.differ.pairs.parameter_pair import ParameterChange, ParameterPair
from devportal.differ.part_pair import BodyPair, CallbackPair, ResponsePair, WebhookPair
from devportal.differ.rule import FoundChange
from devportal.differ.schemas.position import Side
from devportal.differ.schemas.schema_descriptions import SchemaDescription

_WHOLE_PARAMETER = frozenset(
    {"param.schema-to-content", "param.scalar-to-array", "param.array-to-scalar", "param.text-widened"}
)
"""Rules after which the schemas of a parameter are not compared, or not in full."""
_Parts = tuple[Any, Any]


def part_essence(rule_id: str, change: FoundChange, pair: object, contracts: Contracts) -> str:
    """Return digests of what the values of a change only describe or name, empty if they say it all."""
    old, new = (contracts.includes.forms(side).digests for side in Side)
    described = [
        digests.of(value.schemas)
        for digests, value in ((old, change.old), (new, change.new))
        if isinstance(value, SchemaDescription)
    ]
    before, after = _parts(rule_id, change, pair, contracts)
    described += [digests.of(part) for digests, part in ((old, before), (new, after)) if part is not None]
    return " ".join(described)


def _parts(rule_id: str, change: FoundChange, pair: object, contracts: Contracts) -> _Parts:
    """Return the parts that a change adds, removes or replaces as a whole; None for a side without one."""
    match pair:
        case ContentPair():
            return _part_named(pair.old, "name", change.old), _part_named(pair.new, "name", change.new)
        case ResponsesPair(operation=operation):
            return (
                _part_named(operation.old.responses, "status", change.old),
                _part_named(operation.new.responses, "status", change.new),
            )
        case SecurityPair():
            return _schemes(contracts.old, change.old), _schemes(contracts.new, change.new)
        case MediaPair() if ".schema." in rule_id:
            return _schemas(pair.old), _schemas(pair.new)
        case ResponsePair() if ".body." in rule_id:
            return pair.old.content, pair.new.content
        case Removal():
            return pair.lifecycle.sunset, None
        case _ if _is_about_whole(rule_id, pair):
            return getattr(pair, "old", None), getattr(pair, "new", None)
    return None, None


def _is_about_whole(rule_id: str, pair: object) -> bool:
    """Say whether a change is one of parts as a whole: their values are not compared one by one."""
    match pair:
        case ParameterChange() | SchemePair():
            return True
        case ParameterPair():
            return rule_id in _WHOLE_PARAMETER
        case HeaderPair() | BodyPair() | WebhookPair() | CallbackPair():
            return pair.old is None or pair.new is None or rule_id.endswith("-to-content")
        case ServerPair():
            return ".variable." in rule_id
    return False


def _schemas(media: Any) -> tuple[Any, Any]:
    return media.schema, media.item_schema


def _part_named(parts: tuple[Any, ...], key: str, name: object) -> Any:
    """Return the part with a name, None if there is none."""
    return next((part for part in parts if getattr(part, key) == name), None)


def _schemes(api: Api, value: Any) -> tuple[Any, ...] | None:
    """Return the security schemes that a value names, None if there are none."""
    text = canonical_json(value) if isinstance(value, str | list | dict) else ""
    return (
        tuple(
            security_scheme
            for security_scheme in api.security_schemes
            if canonical_json(security_scheme.name) in text
        )
        or None
    )
