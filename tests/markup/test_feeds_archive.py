"""Archives: no item is lost, none moves, and what is full stays as it is."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import chain, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from devportal.markup.feed_formats import feed_files
from devportal.markup.feeds import MAX_ITEMS, Feed, FeedDocument, FeedItem, feed_documents

from .feed_grammars import links_in
from .feed_samples import FIRST_DAY, SITE_URL, feed, item, numbered_feed

DAYS = st.lists(st.integers(1, 70), min_size=1, max_size=8)
"""How many items each day has."""


def of_days(counts: list[int]) -> Feed:
    """Return a feed with so many items on each day, the newest first."""
    numbers = iter(range(sum(counts)))
    days = [[next(numbers) for _ in range(count)] for count in counts]
    items = [
        item(number, day=FIRST_DAY + timedelta(days=day)) for day, of in enumerate(days) for number in of
    ]
    return feed(*reversed(items))


def files(made: Feed) -> dict[str, bytes]:
    """Return the files of a feed, by uri."""
    return {file.uri: file.content for file in feed_files(feed_documents(made), site_url=SITE_URL)}


def all_forms(document: FeedDocument) -> list[bytes]:
    """Return one document in all its forms."""
    return [file.content for file in feed_files([document], site_url=SITE_URL)]


def follow_relation(form: str, made: dict[str, bytes], relation: str, start: str) -> Iterator[str]:
    """Yield the uris that a reader comes by who follows a relation."""
    uri: str | None = start
    while uri:
        yield uri
        content = made[uri]
        found = {"prev-archive": json.loads(content).get("next_url")} if form == "json" else None
        href = (found or links_in(uri, content)).get(relation)
        uri = href.removeprefix(SITE_URL) if href else None


def test_a_short_feed_has_no_archives() -> None:
    """Up to the limit there is one document."""
    (only,) = feed_documents(numbered_feed(MAX_ITEMS))

    assert (only.stem, only.older, only.newer, only.current) == ("news/feed", "", "", "")


def test_the_newest_items_are_in_the_document_to_subscribe_to() -> None:
    """One more than the limit makes the first archive, and the oldest item is in it alone."""
    main, archive = feed_documents(numbered_feed(MAX_ITEMS + 1))

    assert [feed_item.title for feed_item in main.items] == [
        f"News {number}" for number in range(MAX_ITEMS, 0, -1)
    ]
    assert [feed_item.title for feed_item in archive.items] == [
        f"News {number}" for number in range(MAX_ITEMS - 1, -1, -1)
    ]


@given(counts=DAYS)
def test_every_item_is_in_some_document(counts: list[int]) -> None:
    """Together the documents hold the whole feed, and the archives hold no item twice."""
    made = of_days(counts)
    main, *archives = feed_documents(made)
    in_archives = [*chain.from_iterable(archive.items for archive in archives)]

    assert {*main.items, *in_archives} == {*made.items}
    assert len(in_archives) == len({*in_archives})
    assert len(main.items) >= min(MAX_ITEMS, len(made.items))


@settings(max_examples=20)
@given(counts=DAYS, more=DAYS)
def test_a_full_archive_never_changes(counts: list[int], more: list[int]) -> None:
    """Later days add archives. A full one holds the same items; once it has a neighbour, the same bytes."""
    _, *old = feed_documents(of_days(counts))
    new = {feed_document.stem: feed_document for feed_document in feed_documents(of_days(counts + more))}

    for feed_document in old:
        assert new[feed_document.stem].items == feed_document.items
        if feed_document.newer:
            assert all_forms(new[feed_document.stem]) == all_forms(feed_document)


@given(count=st.integers(1, 60))
def test_a_second_item_of_a_day_moves_no_other(count: int) -> None:
    """Items of one day have no order in time: an archive is closed by the day after."""
    today = FIRST_DAY + timedelta(days=100)
    known = [item(number) for number in reversed(range(MAX_ITEMS + 10))]
    late = [item(1000 + number, day=today) for number in range(count)]
    with_first = [*feed_documents(feed(late[0], *known))][1:]

    with_all = [*feed_documents(feed(*late, *known))][1:]

    assert [feed_document.items for feed_document in with_all] == [value.items for value in with_first]


def test_archives_lead_to_each_other_and_to_the_current_document() -> None:
    """Both ways in XML; in JSON Feed, which knows only pages, to the older ones (RFC 5005 §4)."""
    made = files(numbered_feed(4 * MAX_ITEMS))
    stems = ["news/feed", "news/feed/3", "news/feed/2", "news/feed/1"]

    for form in ("rss", "atom"):
        back = [*follow_relation(form, made, "prev-archive", f"news/feed.{form}")]
        forth = [*follow_relation(form, made, "next-archive", f"news/feed/1.{form}")]
        assert back == [f"{stem}.{form}" for stem in stems]
        assert forth == back[:0:-1]
        for uri in back[1:]:
            assert links_in(uri, made[uri])["current"] == f"{SITE_URL}news/feed.{form}"
    paged = [*follow_relation("json", made, "prev-archive", "news/feed.json")]
    assert paged == [f"{stem}.json" for stem in stems]


def test_archives_are_marked_as_such() -> None:
    """RFC 5005 §4: the element tells a reader that it need not ask again."""
    made = files(numbered_feed(MAX_ITEMS + 1))

    for form in ("rss", "atom"):
        mark = b"<fh:archive"
        assert (made[f"news/feed.{form}"].count(mark), made[f"news/feed/1.{form}"].count(mark)) == (0, 1)


def test_a_correction_of_an_old_item_is_told_to_subscribers() -> None:
    """What was corrected since the oldest of the newest items stands behind them, until it is old news."""
    oldest_shown = item(MAX_ITEMS + 10).date
    numbers = [*reversed(range(2 * MAX_ITEMS + 10))]

    def corrected_items(day: date) -> tuple[FeedItem, ...]:
        items = [item(number, amended_on=day if number == 3 else None) for number in numbers]
        return next(feed_documents(feed(*items))).items

    assert [feed_item.title for feed_item in corrected_items(oldest_shown)][MAX_ITEMS:] == ["News 3"]
    assert len(corrected_items(oldest_shown - timedelta(days=1))) == MAX_ITEMS


def test_stems_and_days_of_archives_go_together() -> None:
    """Archive 1 is the oldest, and its number stays its own."""
    _, *archives = feed_documents(numbered_feed(3 * MAX_ITEMS + 1))

    assert [archive.stem for archive in archives] == ["news/feed/1", "news/feed/2", "news/feed/3"]
    assert all(first.items[0].date < other.items[-1].date for first, other in pairwise(archives))
