"""Tags, and the groups of operations made of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from devportal.contract.model import Group, Operation, Tag, TagGroup
from devportal.contract.read.lifecycle_extensions import (
    is_internal,
    read_external_docs,
    read_grounds,
    read_stability,
)
from devportal.contract.read.path_groups import (
    OTHERS,
    group_names,
    paths_divide,
    resource_segment,
    title_from_segment,
)
from devportal.contract.read.source import Node
from devportal.contract.titles.tag_titles import tag_titles
from devportal.contract.wording import natural_order, normalise_name, quote_value
from devportal.findings import Level


def read_tags(root: Node, hidden: frozenset[str]) -> tuple[Tag, ...]:
    """Return the declared tags without the hidden ones. A parent that is not declared, or leads back to the
    tag, is reported and ignored.
    """
    nodes: dict[str, Node] = {}
    for item in root.items("tags"):
        name = item.text("name")
        if name in nodes:
            item.report(
                "contract-tag",
                f"the tag {quote_value(name)} is declared more than once; the last one counts",
                help="remove the others (OAS 3.0.3 §4.7.1)",
                key="name",
            )
        nodes |= {name: item} if name.strip() else {}
    shown = {name: item for name, item in nodes.items() if name not in hidden}
    parents = {name: item.text("parent") for name, item in shown.items() if item.text("parent")}
    return tuple(
        Tag(
            name=name,
            title=item.text("x-displayName") or item.text("summary") or name,
            summary=item.text("summary"),
            description=item.text("description"),
            parent=_parent(item, parents, nodes, hidden),
            kind=item.text("kind"),
            external_docs=read_external_docs(item),
            stability=read_stability(item),
            grounds=read_grounds(item),
        )
        for name, item in shown.items()
    )


def title_tags(tags: Sequence[Tag], operations: Sequence[Operation]) -> tuple[Tag, ...]:
    """Return the tags; those without a title get one if their name is not made of words."""
    titles = tag_titles(_tag_names(tags, operations))
    return tuple(
        replace(tag, title=titles.get(tag.name, tag.title)) if tag.title == tag.name else tag for tag in tags
    )


def _tag_names(tags: Sequence[Tag], operations: Sequence[Operation]) -> dict[str, None]:
    """Return the names of all tags that make groups, in order."""
    words = _non_navigation_tags(tags)
    used = (name for operation in operations for name in operation.tags)
    return dict.fromkeys(name for name in (*(tag.name for tag in tags), *used) if name not in words)


def _parent(item: Node, parents: Mapping[str, str], nodes: Mapping[str, Node], hidden: frozenset[str]) -> str:
    parent = item.text("parent")
    if not parent or parent in hidden:
        return ""
    above = item.text("name")
    seen = set()
    while above in parents and above not in seen:
        seen.add(above)
        above = parents[above]
    if parent in nodes and above not in seen:
        return parent
    why = "leads back to itself" if parent in nodes else "is not declared"
    item.report(
        "contract-tag",
        f"the parent {quote_value(parent)} of this tag {why}",
        help="name a declared tag that is not below this one (OAS 3.2.0 §4.22)",
        key="parent",
    )
    return ""


def internal_tags(root: Node) -> frozenset[str]:
    """Return the names of the tags that are marked as internal: no operation is shown under them."""
    return frozenset(item.text("name") for item in root.items("tags") if is_internal(item))


def read_tag_groups(root: Node, tag_names: frozenset[str], hidden: frozenset[str]) -> Iterator[TagGroup]:
    """Yield the groups of `x-tagGroups`; `tag_names` are the tags that are declared or used."""
    for item in root.items("x-tagGroups"):
        if is_internal(item):
            continue
        if not item.text("name"):
            item.report("contract-shape", "this group of tags has no name", help="give it a 'name'")
            continue
        tags = tuple(_group_tags(item, tag_names, hidden))
        if tags:
            yield TagGroup(name=item.text("name"), title=item.text("name"), tags=tags)


def _group_tags(item: Node, tag_names: frozenset[str], hidden: frozenset[str]) -> Iterator[str]:
    for tag in dict.fromkeys(item.texts("tags")):
        if tag in tag_names:
            yield tag
        elif tag not in hidden:
            item.report(
                "contract-tag",
                f"this group names the tag {quote_value(tag)}, which is neither declared nor used",
                help="fix the name, or remove it",
                level=Level.WARNING,
                key="tags",
            )


def group_operations(operations: Sequence[Operation], tags: Sequence[Tag]) -> tuple[Group, ...]:
    """Return the groups: declared tags in their order, then tags only used, then paths of the untagged.

    An operation with several tags is listed under each of them. Tags that no operation has are left out, and
    those that are not navigation. Untagged operations join a tag with the name of their path. A tag that all
    operations have divides nothing: paths take its place, and its description is on the overview.
    """
    declared = {tag.name: tag for tag in tags if tag.is_navigation}
    words = _non_navigation_tags(tags)
    tags_of = [
        [name for name in dict.fromkeys(operation.tags) if name not in words] for operation in operations
    ]
    if _divides_nothing(tags_of, declared) and paths_divide(operations):
        tags_of = [[] for _ in operations]
    by_tag: dict[str, list[Operation]] = {name: [] for name in declared}
    by_tag |= {name: [] for name in chain.from_iterable(tags_of) if name not in by_tag}
    spellings = {
        normalise_name(spelling): [name]
        for name in reversed(by_tag)
        for spelling in (name, declared[name].title if name in declared else name)
    }
    tags_of = [
        names or spellings.get(normalise_name(resource_segment(operation.path)), [])
        for operation, names in zip(operations, tags_of, strict=True)
    ]
    untagged = (operation for operation, names in zip(operations, tags_of, strict=True) if not names)
    path_names = iter(group_names(tuple(untagged)))
    by_path: dict[str, list[Operation]] = {}
    for operation, names in zip(operations, tags_of, strict=True):
        path_name = "" if names else next(path_names)
        joined = names or spellings.get(normalise_name(path_name), [])
        for name in joined:
            by_tag[name].append(operation)
        if not joined:
            by_path.setdefault(path_name, []).append(operation)
    titles = tag_titles(_tag_names(tags, operations))
    tagged = (
        _tag_group(declared.get(name), name, titles.get(name, name), members)
        for name, members in by_tag.items()
        if members
    )
    by_paths = (
        Group(name=name, title=title_from_segment(name), operations=tuple(members), is_tag=False)
        for name, members in sorted(
            by_path.items(), key=lambda item: (item[0] == OTHERS, natural_order(item[0]))
        )
    )
    return _disambiguate_titles((*tagged, *by_paths))


def _divides_nothing(tags_of_operations: Sequence[Sequence[str]], declared: Mapping[str, Tag]) -> bool:
    """Say whether all operations have the same tag, which does not mark them as beta either."""
    names = {tuple(tag) for tag in tags_of_operations}
    if len(names) != 1 or len(*names) != 1:
        return False
    tag = declared.get(*names.pop())
    return tag is None or not (tag.stability or tag.grounds)


def _disambiguate_titles(groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """Return groups with distinct titles, ignoring case: `Users` and `users` get their paths added, or their
    names if the paths are the same.
    """
    alike: dict[str, list[Group]] = {}
    for group in groups:
        alike.setdefault(group.title.casefold(), []).append(group)
    if len(alike) == len(groups):
        return groups
    hints = {
        id(group): hint
        for same_title in alike.values()
        if len(same_title) > 1
        for group, hint in _title_hints(same_title)
    }
    return tuple(
        replace(group, title=f"{group.title} ({hints[id(group)]})") if id(group) in hints else group
        for group in groups
    )


def _title_hints(groups: Sequence[Group]) -> Iterator[tuple[Group, str]]:
    """Yield each group with a hint that distinguishes it from the others."""
    paths = [f"/{resource_segment(group.operations[0].path)}" for group in groups]
    are_distinct = len(set(paths)) == len(paths)
    for group, path in zip(groups, paths, strict=True):
        yield group, path if are_distinct or not group.is_tag else f"tag {group.name}"


def _non_navigation_tags(tags: Sequence[Tag]) -> frozenset[str]:
    """Return the names of the tags that make no groups."""
    return frozenset(tag.name for tag in tags if not tag.is_navigation)


def _tag_group(tag: Tag | None, name: str, title: str, members: Iterable[Operation]) -> Group:
    if tag is None:
        return Group(name=name, title=title, operations=tuple(members))
    return Group(
        name=name,
        title=tag.title,
        description=tag.description,
        external_docs=tag.external_docs,
        operations=tuple(members),
    )


def group_tags(
    written: Sequence[TagGroup], tags: Sequence[Tag], operations: Sequence[Operation]
) -> tuple[TagGroup, ...]:
    """Return the groups with each tag in the first that names it, and a last group for the rest.

    If the contract declares no groups, parent tags make them. Without parent tags there are no groups.
    """
    words = _non_navigation_tags(tags)
    groups = [tag for tag in tags if tag.is_navigation]
    tag_groups = list(_drop_repeated_tags(written or tuple(_parent_tag_groups(groups)), words))
    if not tag_groups:
        return ()
    tag_names = [tag.name for tag in groups] + [name for operation in operations for name in operation.tags]
    listed = words.union(name for group in tag_groups for name in group.tags)
    ungrouped = tuple(name for name in dict.fromkeys(tag_names) if name not in listed)
    return (*tag_groups, TagGroup(name="", title="", tags=ungrouped)) if ungrouped else tuple(tag_groups)


def _drop_repeated_tags(groups: Iterable[TagGroup], words: frozenset[str]) -> Iterator[TagGroup]:
    seen = set(words)
    for group in groups:
        tags = tuple(name for name in group.tags if name not in seen)
        seen.update(tags)
        if tags:
            yield replace(group, tags=tags)


def _parent_tag_groups(tags: Sequence[Tag]) -> Iterator[TagGroup]:
    """Yield each tag at the top with all below it, parents first, if some tag is below another."""
    children: dict[str, list[str]] = {}
    for tag in tags:
        children.setdefault(tag.parent, []).append(tag.name)
    has_parents = any(tag.name in children for tag in tags)
    for tag in tags:
        if has_parents and not tag.parent:
            yield TagGroup(
                name=tag.name, title=tag.title, tags=tuple(_tag_and_descendants(tag.name, children))
            )


def _tag_and_descendants(name: str, children: Mapping[str, Sequence[str]]) -> Iterator[str]:
    pending = [name]
    while pending:
        name = pending.pop()
        yield name
        pending += reversed(children.get(name, ()))
