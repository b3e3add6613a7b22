"""What is sent to see a fault once more."""

import json
from dataclasses import replace

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.run.replay import MOST_STEPS, replay_sequences, setup_exchanges, with_new_keys
from tests.conformance.families.lending import library
from tests.conformance.values import exchange

SUBJECT = library()
BOOKS, BOOK = "/v1/books", "/v1/books/{book_id}"
NAME, OTHER = f"bk_{1:032x}", f"bk_{2:032x}"


def book_exchange(
    method: str, template: str, status: int = 200, *, name: str = NAME, key: str = ""
) -> Exchange:
    """Return an exchange about a book, at a deployment whose address has a path of its own."""
    url = f"http://127.0.0.1:1/library{template.replace('{book_id}', name)}"
    headers = (("Idempotency-Key", key),) if key else ()
    request = Request(method=method, url=url, headers=headers)
    return replace(exchange(status, {"id": name}), request=request, operation=f"{method} {template}")


def keys(exchanges: tuple[Exchange, ...]) -> list[str]:
    """Return the values of the headers of requests."""
    return [value for item in exchanges for _, value in item.request.headers]


def test_each_key_gets_another() -> None:
    """What was one key is one again, two are two, and what the contract does not allow stays."""
    sent = tuple(
        book_exchange("POST", BOOKS, 201, key=key) for key in ("first-key", "first-key", "other-key", "?")
    )

    first, again, other, odd = keys(with_new_keys(SUBJECT, sent))

    assert first == again
    assert len({first, other, "first-key", "other-key"}) == 4
    assert odd == "?"


def test_what_made_a_thing_and_changed_it_is_its_history() -> None:
    """In its order: not what was refused, read, done to another thing, or came later."""
    made, changed = book_exchange("POST", BOOKS, 201), book_exchange("PATCH", BOOK)
    deleted, late = book_exchange("DELETE", BOOK), book_exchange("DELETE", BOOK, 404)
    beside = (
        book_exchange("POST", BOOKS, 201, name=OTHER),
        book_exchange("GET", BOOK),
        book_exchange("PATCH", BOOK, 422),
        book_exchange("PATCH", BOOK, name=OTHER),
    )

    assert setup_exchanges(SUBJECT, (deleted,), (made, *beside, changed, deleted, late)) == (made, changed)
    assert setup_exchanges(SUBJECT, (deleted,), (*beside, changed, deleted)) == ()


def test_a_long_history_is_cut() -> None:
    """Of many changes the last are made again."""
    made, deleted = book_exchange("POST", BOOKS, 201), book_exchange("DELETE", BOOK)
    changes = tuple(book_exchange("PATCH", BOOK) for _ in range(MOST_STEPS + 3))

    found = setup_exchanges(SUBJECT, (deleted,), (made, *changes, deleted))

    assert len(found) == MOST_STEPS + 1
    assert found[-1] is changes[-1]


def test_the_first_way_is_with_other_keys_and_the_last_with_the_things_made_anew() -> None:
    """Without keys and history there is one way, in as many rounds as are asked for."""
    plain, made = book_exchange("DELETE", BOOK), book_exchange("POST", BOOKS, 201, key="first-key")

    assert list(replay_sequences(SUBJECT, (plain,), (), rounds=2)) == [((plain,), (plain,))]
    once, anew = replay_sequences(SUBJECT, (plain,), (made, plain))
    assert once == ((plain,),)
    assert [item.operation for item in anew[0]] == [made.operation, plain.operation]
    assert keys(anew[0]) != keys((made,))


def test_each_round_has_keys_of_its_own() -> None:
    """The second round would be answered from memory otherwise."""
    made = book_exchange("POST", BOOKS, 201, key="first-key")

    (rounds,) = replay_sequences(SUBJECT, (made,), (), rounds=3)

    assert len({key for sent in rounds for key in keys(sent)} - {"first-key"}) == 3


def test_what_was_refused_is_sent_with_its_own_key_too() -> None:
    """It may be the key that a server stumbles over."""
    broken = book_exchange("POST", BOOKS, 500, key="first-key")

    renamed, as_it_was = replay_sequences(SUBJECT, (broken,), ())

    assert keys(renamed[0]) != ["first-key"]
    assert as_it_was == ((broken,),)


def test_what_was_created_is_created_with_other_texts_at_last() -> None:
    """Its name may be taken now. What was refused stays, and so does what has no texts."""
    body = b'{"title": "Emma", "genre": "novel", "copies": 3}'
    titled = Request(method="POST", url="http://127.0.0.1:1/v1/books", body=body)
    made = replace(book_exchange("POST", BOOKS, 201), request=titled)
    refused = replace(book_exchange("POST", BOOKS, 422), request=titled)

    as_it_was, *rounds = replay_sequences(SUBJECT, (made, refused), (), rounds=2)

    assert as_it_was == ((made, refused),) * 2
    ((first, kept), (second, _)) = rounds[0]
    titles = {json.loads(exchange.request.body or b"")["title"] for exchange in (made, first, second)}
    assert len(titles) == 3
    assert kept == refused
