"""Which responses of an operation are the same in both contracts."""

from devportal.contract import Location, Response
from devportal.differ.match.statuses import StatusMatching, match_statuses


def responses(*statuses: str) -> tuple[Response, ...]:
    """Return responses without bodies."""
    return tuple(Response(status=status, location=Location("", (status,))) for status in statuses)


def match_words(old: str, new: str, *, covers: bool = True) -> StatusMatching:
    """Return the matching of two lists of statuses."""
    return match_statuses(responses(*old.split()), responses(*new.split()), lambda _old, _new: covers)


def names(found: tuple[Response, ...]) -> list[str]:
    """Return the statuses of responses."""
    return [response.status for response in found]


def test_a_range_stands_for_what_it_is_split_into() -> None:
    """Each listed status is compared with the range, which is neither gone nor new."""
    matching = match_words("4XX", "400 404")

    assert [(old.status, new.status) for old, new in matching.kept] == [("4XX", "400"), ("4XX", "404")]
    assert (matching.removed, matching.added) == ((), ())


def test_a_range_that_stood_for_nothing_listed_is_gone() -> None:
    """What was listed beside it stays, the others go."""
    assert names(match_words("4XX 404", "404").removed) == ["4XX"]


def test_a_success_is_replaced_by_one_that_came() -> None:
    """Each new success takes the place of one that went."""
    matching = match_words("200 201", "202")

    assert [(old.status, new.status) for old, new in matching.replaced] == [("200", "202")]
    assert names(matching.removed) == ["201"]


def test_the_default_stands_for_a_success_only_if_it_covers_it() -> None:
    """A default of errors does not."""
    assert names(match_words("200 default", "default").covered) == ["200"]
    assert match_words("200 default", "default", covers=False).covered == ()
    assert names(match_words("200 default", "default", covers=False).removed) == ["200"]
    assert names(match_words("default", "200 default", covers=False).added) == ["200"]


def test_odd_statuses_are_only_themselves() -> None:
    """Nothing is presumed of what is no status."""
    matching = match_words("x 2 20", "4XX y")

    assert names(matching.removed) == ["x", "2", "20"]
    assert names(matching.added) == ["4XX", "y"]
