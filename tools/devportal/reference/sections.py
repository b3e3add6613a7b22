"""The second level above groups of operations: sections that the contract makes of its tags."""

from dataclasses import dataclass

from devportal.contract import Api, Group
from devportal.reference.lists import GROUPS, ListPage, list_pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Groups that belong together; without a title where the contract makes no sections."""

    title: str
    groups: tuple[Group, ...]

    @property
    def head(self) -> Group | None:
        """The first group, if it is called as the section is: a parent of OAS 3.2 with its own operations."""
        first = self.groups[0]
        return first if self.title and first.title.casefold() == self.title.casefold() else None


def sections_of(api: Api) -> tuple[Section, ...]:
    """Return all groups in sections; those that no section lists come last, as others."""
    if not api.tag_groups:
        return (Section(title="", groups=api.groups),) if api.groups else ()
    by_tag = {group.name: group for group in api.groups if group.is_tag}
    found = []
    for one in api.tag_groups:
        members = tuple(by_tag.pop(tag) for tag in one.tags if tag in by_tag)
        if members:
            found.append(Section(title=one.title, groups=members))
    unnamed = [group for one in found if not one.title for group in one.groups]
    rest = (*unnamed, *(group for group in api.groups if not group.is_tag or group.name in by_tag))
    named = tuple(one for one in found if one.title)
    return (*named, Section(title="Other" if named else "", groups=rest)) if rest else named


def groups_by_page(api: Api, overview: str) -> tuple[ListPage[tuple[int, Group]], ...]:
    """Return all groups with the numbers of their sections, by the page that lists them: the overview, and
    pages below it where they are a great many.
    """
    groups = [(number, group) for number, section in enumerate(sections_of(api)) for group in section.groups]
    return list_pages(overview, groups, GROUPS)


def events_title(api: Api) -> str:
    """Return what the events of a contract are called together: as no group of its operations is."""
    taken = {group.title.casefold() for group in api.groups}
    return next((one for one in ("Events", "Webhooks") if one.casefold() not in taken), "Webhook events")
