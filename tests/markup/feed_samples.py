"""A feed to test with, and as many items as it takes."""

from datetime import date, timedelta

from devportal.markup.feeds import Feed, FeedItem, absolute_url, feed_id, tag_uri

SITE_URL = "https://portal.example/docs/"
FIRST_DAY = date(2025, 1, 1)


def item(number: int, *, day: date | None = None, amended_on: date | None = None, **texts: str) -> FeedItem:
    """Return the item of a number, by default of its own day."""
    day = day or FIRST_DAY + timedelta(days=number)
    return FeedItem(
        id=tag_uri("portal.example", day, f"news/{number}"),
        url=absolute_url(f"news/index.md#n{number}", site_url=SITE_URL),
        date=day,
        amended_on=amended_on,
        terms=("kind:new", f"number:{number}"),
        title=texts.get("title", f"News {number}"),
        summary=texts.get("summary", f"Short & plain {number}"),
        content=texts.get("content", f"<p>Whole &amp; long {number}</p>"),
    )


def feed(*items: FeedItem) -> Feed:
    """Return a feed of items, the newest of which come first."""
    return Feed(
        id=feed_id("portal.example", "news"),
        stem="news/feed",
        title="News",
        author="Portal",
        description="All of it.",
        home=absolute_url("news/index.md", site_url=SITE_URL),
        begun=FIRST_DAY,
        items=items,
    )


def numbered_feed(count: int) -> Feed:
    """Return a feed of so many items of a day each."""
    return feed(*(item(number) for number in reversed(range(count))))
