"""Compares a list read in large pages with the same list read in small ones."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from devportal.conformance.knowledge.paging import PageWalk, item_keys


@dataclass(frozen=True, slots=True, kw_only=True)
class ListComparison:
    """A list read in large pages, then in small ones, then in large ones again."""

    before: PageWalk
    small: PageWalk
    after: PageWalk
    key: tuple[str, ...]

    def counts(self, walk: PageWalk) -> Counter[str]:
        """Return how often each item is listed."""
        return Counter(item_keys(walk.items, self.key))

    @property
    def is_unchanged(self) -> bool:
        """Return whether the list was the same before and after."""
        return list(item_keys(self.before.items, self.key)) == list(item_keys(self.after.items, self.key))

    @property
    def is_in_order(self) -> bool:
        """Return whether the common items have the same order before and after: else it may have changed
        meanwhile.
        """
        before, after = (
            list(item_keys(page_walk.items, self.key)) for page_walk in (self.before, self.after)
        )
        both = set(before) & set(after)
        return [text for text in before if text in both] == [item for item in after if item in both]

    @property
    def is_of_one_order(self) -> bool:
        """Return whether small pages have the order of large ones.

        Pages may run backwards while each is read forwards, as those of conversations.
        """
        large, small = self._orders(self.before), self._orders(self.small)
        return any(first == other for first, other in zip(large, small, strict=True))

    def _orders(self, walk: PageWalk) -> tuple[list[str], list[str]]:
        """Return the order of a walk as it was, and with each page turned around."""
        pages = [list(item_keys(page.items, self.key)) for page in walk.pages]
        return [text for page in pages for text in page], [item for page in pages for item in page[::-1]]


def list_differences(comparison: ListComparison, *, is_counted: bool) -> Iterator[tuple[str, str]]:
    """Yield title and message of each difference between small pages and the whole list.

    Concurrent changes are ignored: only items that were listed before and after must be in the small pages,
    and additional ones count only if the list is unchanged. Pages by offset (`is_counted`) may lose items
    when others change the list.
    """
    small_counts, large_counts = comparison.counts(comparison.small), comparison.counts(comparison.before)
    lost = sorted((large_counts & comparison.counts(comparison.after)) - small_counts)
    additional = sorted(small_counts - large_counts) if comparison.is_unchanged else []
    repeated = [text for text in additional if text in large_counts]
    if lost and (comparison.is_unchanged or (comparison.is_in_order and not is_counted)):
        counted = f"{len(lost)} of {len(comparison.before.items)} items"
        yield "pages lose items", f"{counted} are in no page, such as {lost[0]:.80}"
    if repeated:
        message = f"{len(repeated)} items come more than once, such as {repeated[0]:.80}"
        yield "pages repeat items", message
    elif additional:
        message = f"{len(additional)} items are in no larger page, such as {additional[0]:.80}"
        yield "pages show what the whole list does not", message
    if comparison.is_unchanged and small_counts == large_counts and not comparison.is_of_one_order:
        message = (
            f"{len(comparison.before.items)} items, the same in pages of any size, come in another order"
        )
        yield "the order changes with the size of pages", message
