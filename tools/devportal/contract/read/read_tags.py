"""Nodes → tags and their groups: `parent` of OAS 3.2, and `x-tagGroups` (a convention of Redocly)."""

from collections.abc import Iterator, Mapping

from devportal.contract.model import Tag, TagGroup
from devportal.contract.read.marks import is_internal, read_external_docs, read_grounds, read_stability
from devportal.contract.read.source import Node
from devportal.contract.wording import quote_value
from devportal.findings import Level


def read_tags(root: Node, hidden: frozenset[str]) -> tuple[Tag, ...]:
    """Return the declared tags, the hidden ones left out. A parent that is none, or that leads back to
    the tag itself, is reported and counts as not written.
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


def read_tag_groups(root: Node, known: frozenset[str], hidden: frozenset[str]) -> Iterator[TagGroup]:
    """Yield the groups of `x-tagGroups`; `known` are the tags that are declared or used."""
    for item in root.items("x-tagGroups"):
        if is_internal(item):
            continue
        if not item.text("name"):
            item.report("contract-shape", "this group of tags has no name", help="give it a 'name'")
            continue
        tags = tuple(_group_tags(item, known, hidden))
        if tags:
            yield TagGroup(name=item.text("name"), title=item.text("name"), tags=tags)


def _group_tags(item: Node, known: frozenset[str], hidden: frozenset[str]) -> Iterator[str]:
    for tag in dict.fromkeys(item.texts("tags")):
        if tag in known:
            yield tag
        elif tag not in hidden:
            item.report(
                "contract-tag",
                f"this group names the tag {quote_value(tag)}, which is neither declared nor used",
                help="mend the name, or remove it",
                level=Level.WARNING,
                key="tags",
            )
