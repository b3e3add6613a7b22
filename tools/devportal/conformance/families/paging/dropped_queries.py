"""Links to the next page that drop parts of the query: one cause of pages of another size, order or filter."""

from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckFailure
from devportal.conformance.knowledge.paging import ListTarget, parse_page
from devportal.conformance.results.wording import DROPPED_QUERY


def with_cause(target: ListTarget, failure: CheckFailure, name: str) -> CheckFailure:
    """Return a failure of the pages of a list; if a link to a next page drops the parameter that is lost, with that as
    its cause. A link without it passes by itself: its cursor may hold it.
    """
    for exchange in failure.evidence:
        names = _dropped_parameters(target, exchange)
        if name in names:
            query = urlsplit(exchange.request.url).query
            message = (
                f"the next page of ?{query} has an address without {', '.join(names)}: {failure.message}"
            )
            promise = target.listing.operation.location
            return replace(failure, title=DROPPED_QUERY, message=message, promise=promise)
    return failure


def _dropped_parameters(target: ListTarget, exchange: Exchange) -> tuple[str, ...]:
    """Return the parameters of a request that the address of the next page lacks or changes, but for those that say
    which page it is.
    """
    page = parse_page(target, exchange.request, exchange)
    if page is None or page.next_request is None:
        return ()
    listing = target.listing
    places = {each.name for each in (listing.cursor, listing.page, listing.offset) if each is not None}
    sent, following = (
        parse_qsl(urlsplit(request.url).query, keep_blank_values=True)
        for request in (exchange.request, page.next_request)
    )
    return tuple(
        dict.fromkeys(name for name, value in sent if name not in places and (name, value) not in following)
    )
