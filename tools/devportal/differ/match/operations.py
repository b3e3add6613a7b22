"""Which operations of two contracts are the same: by method and address, whatever placeholders are called."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from devportal.contract import Api, Operation, Server
from devportal.contract.path_templates import encoded_path, path_pattern, without_names
from devportal.differ.match.listed_paths import RegroupedOperation, take_regrouped_operations

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationMatching:
    """Which operations of both contracts belong together, and which are in one alone.

    `moved` are known by their operationId, or because the contract or the policy names them. `respelled` differ
    by case or a trailing slash, which makes another address. `regrouped` have the same address as before, which
    a parameter with listed values stands for in one contract.
    """

    kept: tuple[tuple[Operation, Operation], ...]
    moved: tuple[tuple[Operation, Operation], ...]
    respelled: tuple[tuple[Operation, Operation], ...]
    regrouped: tuple[RegroupedOperation, ...]
    removed: tuple[Operation, ...]
    added: tuple[Operation, ...]


def match_operations(old: Api, new: Api, declared: Mapping[str, str]) -> OperationMatching:
    """Return the matched operations, in the order of the contracts.

    `declared` are new ids, or methods and paths, by old ones: the renames of the policy.
    """
    left, right = list(old.operations), list(new.operations)
    kept = _take_pairs_by_key(left, right, lambda operation: (operation.method, url_template(operation.path)))
    kept += _take_pairs_by_key(
        left, right, lambda operation: (operation.method, url_template(full_path(operation)))
    )
    respelled = _take_pairs_by_key(
        left,
        right,
        lambda operation: (operation.method, _normalise_path(url_template(full_path(operation)))),
    )
    regrouped = take_regrouped_operations(left, right, old, new)
    moved = [*_take_declared_pairs(left, right, declared)]
    moved += _take_pairs_by_key(
        left, right, lambda operation: operation.id if operation.id_is_declared else None
    )
    order = {id(operation): number for number, operation in enumerate(old.operations)}
    return OperationMatching(
        kept=tuple(sorted(kept, key=lambda pair: order[id(pair[0])])),
        moved=tuple(moved),
        respelled=tuple(respelled),
        regrouped=regrouped,
        removed=tuple(left),
        added=tuple(right),
    )


def _take_pairs_by_key(
    left: list[Operation], right: list[Operation], key: Callable[[Operation], Hashable]
) -> list[tuple[Operation, Operation]]:
    """Return the pairs with the same key, and take them out of both lists."""
    right_by_key: dict[Hashable, Operation] = {}
    for operation in right:
        if key(operation) is not None:
            right_by_key.setdefault(key(operation), operation)
    pairs = []
    for operation in tuple(left):
        other = right_by_key.pop(key(operation), None)
        if other is not None:
            pairs.append((operation, other))
            left.remove(operation)
            right.remove(other)
    return pairs


def _take_declared_pairs(
    left: list[Operation], right: list[Operation], declared: Mapping[str, str]
) -> Iterator[tuple[Operation, Operation]]:
    """Yield the pairs that the new contract or the policy calls one operation, and take them out of both lists."""
    for operation in tuple(left):
        names = _names_of(operation)
        new_names = {declared[name] for name in names if name in declared}
        for other in right:
            if names & set(other.renamed_from) or new_names & _names_of(other):
                left.remove(operation)
                right.remove(other)
                yield operation, other
                break


def _names_of(operation: Operation) -> frozenset[str]:
    """Return by which names an operation can be meant: its id, and its method and path."""
    address = f"{operation.method.upper()} {operation.path}"
    return frozenset({address, operation.id} if operation.id_is_declared else {address})


def placeholders(path: str) -> tuple[str, ...]:
    """Return the names of the placeholders in a path, in their order."""
    return tuple(item[1:-1] for item in _PLACEHOLDER.findall(path))


def url_template(path: str) -> str:
    """Return a path as all paths of the same URLs are written: without the names of its placeholders."""
    return encoded_path(without_names(path))


def _normalise_path(path: str) -> str:
    return path.rstrip("/").casefold()


def full_path(operation: Operation) -> str:
    """Return the path of an operation with the base path of its first server."""
    base = base_path(operation.servers[0]) if operation.servers else ""
    return base + operation.path


def base_path(server: Server) -> str:
    """Return the path of a server's address, without a trailing slash."""
    return urlsplit(server.address).path.rstrip("/") if _is_valid_url(server.address) else ""


def _is_valid_url(url: str) -> bool:
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True


def templates_matching(path: str, templates: Iterable[str]) -> Iterator[str]:
    """Yield the templates that served a literal path until it got its own operation."""
    segments = path.split("/")
    for template in templates:
        template_segments = template.split("/")
        if (
            len(template_segments) == len(segments)
            and template != path
            and all(map(_segment_matches, template_segments, segments))
        ):
            yield template


def _segment_matches(template: str, segment: str) -> bool:
    """Say whether a segment of a template fits one of a path; a placeholder fits no other placeholder."""
    if template == segment or without_names(template) == without_names(segment):
        return True
    has_placeholder = _PLACEHOLDER.search(template) is not None
    return has_placeholder and "{" not in segment and path_pattern(template).fullmatch(segment) is not None
