"""Numbers: those that every account is given, and those that can be had. All are kept free for fiction."""

from typing import Any

from tests.apps.second.paging import Item, Pages, matches
from tests.apps.second.requests import Answer, Request
from tests.apps.second.world import Shelf, World, seconds, shown_time

_OWNED = (
    ("+12025550140", "US", "US-DC", "local", ("mms", "voice", "sms")),
    ("+18005550199", "US", None, "toll_free", ("sms", "mms")),
    ("+441134960123", "GB", "GB-LDS", "local", ("voice",)),
    ("+61255500177", "AU", "AU-NSW", "local", ("sms", "voice")),
)
_AVAILABLE = (
    *((f"+1202555{tail:04}", "US", "US-DC", "local", ("sms", "voice")) for tail in range(150, 158)),
    ("+13125550161", "US", "US-IL", "local", ("voice", "mms", "sms")),
    ("+443069990187", "GB", None, "national", ("voice",)),
    ("+448081570144", "GB", None, "toll_free", ("voice",)),
    ("+611800975708", "AU", None, "toll_free", ("voice", "sms")),
)
_FIELDS = ("number", "country", "region", "type", "features")


class Numbers:
    """What the account has, and what it could have."""

    def __init__(self, world: World, pages: Pages, accounts: frozenset[str]) -> None:
        self._pages = pages
        self._owned = Shelf[dict[str, Any]]()
        start = world.now()
        for account in sorted(accounts):
            for days, row in enumerate(_OWNED):
                got = shown_time(start - seconds(86_400 * (len(_OWNED) - days)))
                number = {**_number_json(row), "id": world.new_id("num"), "created_at": got}
                self._owned.put(account, str(number["number"]), number)

    def features(self, account: str, number: str) -> frozenset[str] | None:
        """Return what an account can do with a number, None where it is not its own."""
        found = self._owned.find(account, number)
        return None if found is None else frozenset(found["features"])

    def list_numbers(self, request: Request) -> Answer:
        """Answer listNumbers."""
        rows = enumerate(self._owned.newest_first(request.account))
        found = [row for row in rows if matches(row[1], request, "country", "type")]
        return self._pages.answer(request, found)

    def available(self, request: Request) -> Answer:
        """Answer searchAvailableNumbers."""
        rows: list[Item] = list(enumerate(map(_number_json, _AVAILABLE)))
        return self._pages.answer(request, [row for row in rows if _fits(row[1], request)])


def _number_json(row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(_FIELDS, (*row[:-1], list(row[-1])), strict=True))


def _fits(shown: dict[str, Any], request: Request) -> bool:
    wanted = set(request.query.get("feature", ()))
    has_digits = request.query.get("contains", "") in shown["number"][1:]
    return has_digits and wanted <= set(shown["features"]) and matches(shown, request, "country", "type")
