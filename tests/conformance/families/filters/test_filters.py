# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Filters of lists: by counted values, by texts, by time."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.families.filters.filtering import filter_parameters
from devportal.conformance.families.filters.filters import (
    FAMILY,
    check_filter_values,
    enumerated_filter_values,
    leaves_out_others,
)
from devportal.conformance.families.filters.quoted_members import quoted_member_probes
from devportal.conformance.families.filters.time_filters import time_probes
from devportal.conformance.knowledge.paging import list_target
from devportal.contract import Operation
from devportal.contract.conventions import default_conventions, name_stem
from tests.apps.library import Library, Refusal, Thing, moment
from tests.conformance.families.lending import BOTH, CONTRACT, asked_of, failure_titles
from tests.conformance.running import SendInOrder, subject_of, subject_of_contract
from tests.conformance.values import exchange
from tests.contract.inline import api, contract

TITLES = ("Emma", "Ode", "Odes", "Persuasion")


def add_mixed_books(app: Library) -> Library:
    """Return a server that has books of several kinds, two of them made at once, and two later."""
    for number, title in enumerate(TITLES):
        app.store("main", {"title": title, "genre": "poems" if "Ode" in title else "novel"})
        app.wait(number % 2 * 5)
    return app


class IgnoresGenres(Library):
    def filter_by_genre(self, books: list[Thing], genre: str | None) -> list[Thing]:
        return books


OBJECT = "- {name: filter, in: query, schema: {type: object, properties: {genre: {enum: [novel, poems]}}}}"


def test_members_of_an_object_of_filters_are_filters(tmp_path: Path) -> None:
    """An object is in the query in pieces, of which each has the value of one member."""
    genre = "- name: genre\n          in: query\n          schema: {type: string, enum: [novel, poems]}"
    text = CONTRACT.read_text(encoding="utf-8")
    contract = tmp_path / "library.yaml"
    contract.write_text(text.replace(genre, OBJECT), encoding="utf-8")
    subject = replace(subject_of(contract), parties=BOTH)

    assert failure_titles(FAMILY, add_mixed_books(IgnoresGenres()), subject) == {
        "the filter 'genre' lets other items through"
    }
    assert not failure_titles(FAMILY, add_mixed_books(Library()), subject)


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        ("style: deepObject", ["filter[genre]", "filter[title]"]),
        ("style: form", ["genre", "title"]),
        ("explode: false", ["filter"]),
    ],
)
def test_the_style_names_the_members_of_an_object_of_filters(rules: str, names: list[str]) -> None:
    """OAS 3.0.3 §4.7.12.1 has an example of each."""
    read = api(
        f"""
        paths:
          /books:
            get:
              parameters:
                - name: filter
                  in: query
                  {rules}
                  schema: {{type: object, properties: {{genre: {{type: string}}, title: {{type: string}}}}}}
              responses: {{'200': {{description: Books}}}}
        """.lstrip("\n")
    )

    assert [parameter.name for parameter in filter_parameters(read, read.operations[0])] == names


class AlwaysShowsPoems(Library):
    def filter_by_genre(self, books: list[Thing], genre: str | None) -> list[Thing]:
        return [book for book in books if genre in (None, book["genre"]) or book["genre"] == "poems"]


RECORDS = """\
paths:
  /records:
    get:
      parameters:
        - {name: type, in: query, explode: false, schema: {type: array, items: {type: string, enum: [A, MX, TXT]}}}
        - {name: proxied, in: query, schema: {type: boolean}}
        - {name: 'filter[proxied]', in: query, schema: {type: boolean}}
      responses:
        '200':
          description: ok
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Record'}}}}
  /records/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Record'}}}}
components:
  schemas:
    Record:
      type: object
      required: [id, type]
      properties: {id: {type: integer}, type: {type: string, enum: [A, MX]}, proxied: {type: boolean}}
"""


def test_a_filter_that_takes_several_values_may_have_one() -> None:
    """Its values are those that items can have, too."""
    subject = subject_of_contract(contract(RECORDS))
    target = list_target(subject, subject.listings[0])
    parameters = target.listing.operation.parameters

    assert [enumerated_filter_values(target, parameter) for parameter in parameters] == [
        ("A", "MX"),
        (True, False),
        (True, False),
    ]


class Unfiltered(SendInOrder):
    """A deployment that returns three items to any request."""

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        items = [{"id": number, "type": "A", "proxied": False} for number in range(3)]
        return replace(exchange(200, items), request=request)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("filter[proxied]", "the filter 'filter[proxied]' lets other items through"),
        ("proxied", ""),
    ],
)
def test_only_what_is_called_a_filter_excludes_the_others(name: str, title: str) -> None:
    """A plain `archived=true` may include archived items."""
    subject = subject_of_contract(contract(RECORDS))
    target = list_target(subject, subject.listings[0])
    operation = target.listing.operation
    parameter = next(parameter for parameter in operation.parameters if parameter.name == name)

    failures = list(check_filter_values(target, parameter, Unfiltered()))

    assert [failure.title for failure in failures] == [title] * bool(title)


def test_a_list_of_one_kind_gets_others_first() -> None:
    """A filter may let through what no item has: while all fit, nothing of that can be seen."""
    app = AlwaysShowsPoems()
    app.store("main", {"title": "Emma", "genre": "novel"})

    assert "the filter 'genre' lets other items through" in failure_titles(FAMILY, app)


class LosesOfAGenre(Library):
    def filter_by_genre(self, books: list[Thing], genre: str | None) -> list[Thing]:
        return super().filter_by_genre(books, genre)[1 if genre else 0 :]


class IgnoresTitles(Library):
    def filter_by_title(self, books: list[Thing], title: str) -> list[Thing]:
        return books


class FindsNoTitle(Library):
    def filter_by_title(self, books: list[Thing], title: str) -> list[Thing]:
        return []


class IgnoresBeginnings(Library):
    def made_since(self, books: list[Thing], time: str) -> list[Thing]:
        return books


class ShowsNothingSince(Library):
    def made_since(self, books: list[Thing], time: str) -> list[Thing]:
        return []


class TurnsTimesRound(Library):
    def made_until(self, books: list[Thing], time: str) -> list[Thing]:
        return super().made_since(books, time)


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (IgnoresGenres, "the filter 'genre' lets other items through"),
        (LosesOfAGenre, "the filter 'genre' loses items"),
        (IgnoresTitles, "the filter 'title' lets other items through"),
        (FindsNoTitle, "the filter 'title' loses items"),
        (IgnoresBeginnings, "the filter 'created_after' lets other items through"),
        (ShowsNothingSince, "the filter 'created_after' loses items"),
        (TurnsTimesRound, "the filter 'created_before' lets other items through"),
    ],
)
def test_each_wrong_filter_is_found(app: type[Library], title: str) -> None:
    """What does not fit is found, and so is what is missing."""
    assert failure_titles(FAMILY, add_mixed_books(app())) == {title}


def test_times_are_made_to_differ() -> None:
    """A list whose items were all made at once gets a later one: else no bound could leave anything out."""
    app = IgnoresBeginnings()

    assert failure_titles(FAMILY, app) == {"the filter 'created_after' lets other items through"}
    assert app.passed_s


class Searches(Library):
    """Finds texts within others, in any case."""

    def filter_by_title(self, books: list[Thing], title: str) -> list[Thing]:
        return [book for book in books if title.lower() in book["title"].lower()]


class BeginsThere(Library):
    """Shows a list from a title on."""

    def filter_by_title(self, books: list[Thing], title: str) -> list[Thing]:
        return books[[book["title"] for book in books].index(title) :]


class RefusesTitles(Library):
    """Wants another parameter beside a title."""

    def filter_by_title(self, books: list[Thing], title: str) -> list[Thing]:
        raise Refusal(400, "say the genre as well")


class CatchesUp(Library):
    """Searches what its index has: for a while it finds nothing."""

    asked_s: float | None = None

    def filter_by_title(self, books: list[Thing], title: str) -> list[Thing]:
        self.asked_s = self.passed_s if self.asked_s is None else self.asked_s
        return super().filter_by_title(books, title) if self.passed_s - self.asked_s > 1 else []


class OtherBounds(Library):
    """Leaves out where a time begins, and shows where it ends."""

    def made_since(self, books: list[Thing], time: str) -> list[Thing]:
        return [book for book in books if moment(book["created_at"]) > moment(time)]

    def made_until(self, books: list[Thing], time: str) -> list[Thing]:
        return [book for book in books if moment(book["created_at"]) <= moment(time)]


def second(time: str) -> datetime:
    """Return the whole second of a time."""
    return moment(time).replace(microsecond=0)


class WholeSeconds(Library):
    """Reads times to the second."""

    def made_since(self, books: list[Thing], time: str) -> list[Thing]:
        return [book for book in books if second(book["created_at"]) >= second(time)]

    def made_until(self, books: list[Thing], time: str) -> list[Thing]:
        return [book for book in books if second(book["created_at"]) < second(time)]


class CoversTitles(Library):
    """Shows the beginning of a title, and finds whole ones."""

    def shown_books(self, tenant: str) -> list[Thing]:
        return [{**book, "title": book["title"][:1] + "***"} for book in super().shown_books(tenant)]

    def filter_by_title(self, books: list[Thing], title: str) -> list[Thing]:
        return [book for book in books if self.books["main"][book["id"]]["title"] == title]


class Removes(Library):
    """Loses what is looked for just then: others work on the list as well."""

    def filter_by_title(self, books: list[Thing], title: str) -> list[Thing]:
        kept = {key: value for key, value in self.books["main"].items() if value["title"] != title}
        self.books["main"] = kept
        return []


@pytest.mark.parametrize(
    "app",
    [
        Library,
        Searches,
        BeginsThere,
        RefusesTitles,
        CatchesUp,
        OtherBounds,
        WholeSeconds,
        CoversTitles,
        Removes,
    ],
)
def test_right_servers_are_left_in_peace(app: type[Library]) -> None:
    """A search, a place to begin from, a refusal, a late index, open and closed bounds are no faults."""
    log = asked_of(FAMILY, add_mixed_books(app()))

    assert not log.failures
    assert log.tallies


@pytest.mark.parametrize(
    ("name", "since", "until"),
    [
        ("created_after", "created", None),
        ("createdBefore", None, "created"),
        ("created[gte]", "created", None),
        ("DateCreated<", None, "datecreated"),
        ("min_created_at", "createdat", None),
        ("since", "", None),
        ("colour", None, None),
    ],
)
def test_names_of_bounds(name: str, since: Any, until: Any) -> None:
    """What is bounded stands in the name of a parameter, whatever its separators."""
    usual = default_conventions()

    assert name_stem(name, usual.since) == since
    assert name_stem(name, usual.until) == until


EVENTS = """\
openapi: 3.0.3
info: {title: Events, version: '1'}
paths:
  /events:
    get:
      parameters:
        - {name: from, in: query, schema: {type: string, format: date-time}}
        - {name: to, in: query, schema: {type: string, format: date-time}}
      responses:
        '200':
          description: The events.
          content:
            application/json:
              schema:
                type: array
                items: {type: object, properties: {id: {type: string}, MEMBER: {type: string, format: date-time}}}
"""


@pytest.mark.parametrize(("member", "probes"), [("created_at", 1), ("due", 0)])
def test_bounds_without_a_time_that_they_are_of_are_not_tested(
    member: str, probes: int, tmp_path: Path
) -> None:
    """`from` and `to` are of the creation time, if items show that and no other."""
    path = tmp_path / "events.yaml"
    path.write_text(EVENTS.replace("MEMBER", member), encoding="utf-8")
    without = tmp_path / "without.yaml"
    without.write_text(EVENTS.replace(", MEMBER: {type: string, format: date-time}", ""), encoding="utf-8")

    assert len([*time_probes(subject_of(path))]) == probes
    assert [*time_probes(subject_of(without))] == []


PEOPLE = """\
openapi: 3.0.3
info: {title: People, version: '1'}
paths:
  /people:
    get:
      parameters: [{name: NAME, in: query, description: DESCRIPTION, schema: {type: TYPE}}]
      responses:
        '200':
          description: The people.
          content:
            application/json:
              schema:
                type: array
                items:
                  $ref: '#/components/schemas/Person'
  /people/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200':
          description: A person.
          content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}
components:
  schemas:
    Person:
      type: object
      properties: {id: {type: string}, home: {type: object, properties: {country: {type: string}}}}
"""


@pytest.mark.parametrize(
    ("name", "kind", "description", "probes"),
    [
        ("land", "string", "Only people whose `home.country` is this.", 1),
        ("land", "string", "Only people of orders with this `home.country`.", 1),
        ("region", "string", "Only people whose `home.country` is in this region.", 0),
        ("direction", "string", "How people are sorted by `home.country`.", 0),
        ("direction", "string", "The direction in which people are ordered by `home.country`.", 0),
        ("include_archived", "boolean", "", 1),
        ("include_archived", "boolean", "Lists archived people instead of others.", 0),
        ("show_archived", "boolean", "", 0),
        ("show_archived", "boolean", "Lists archived people too.", 1),
    ],
)
def test_descriptions_that_promise_something_else_are_not_tested(
    name: str, kind: str, description: str, probes: int, tmp_path: Path
) -> None:
    """A region is not a country, an order is not a filter, and what is shown may be all that is shown."""
    path = tmp_path / "people.yaml"
    described = PEOPLE.replace("NAME", name).replace("TYPE", kind).replace("DESCRIPTION", f"'{description}'")
    path.write_text(described, encoding="utf-8")

    assert len([*quoted_member_probes(subject_of(path))]) == probes


@pytest.mark.parametrize(
    ("name", "description", "values"),
    [
        ("active", "Only plans that are active, or only those that are not.", {True, False}),
        ("active", "Only return plans that are active or inactive.", {True, False}),
        ("archived", "Filter by archived status.", {True, False}),
        ("verified", "Filter results based on whether they are verified.", {True, False}),
        ("active", "Only active plans.", {True}),
        ("_", "Only active plans.", {True}),
        ("verified", "Only return verified plans, or those under review.", {True}),
        ("active", "Filter by active. Default: false.", {True}),
        ("archived", "Only open plans are returned unless this is true.", set()),
        ("archived", "If false, only open plans are returned.", set()),
        ("archived", "Only return plans that are not archived.", set()),
        ("archived", "Returns only unarchived plans.", set()),
        ("reviewed", "Filter plans reviewed by you.", set()),
        ("active", "Only active plans, or every plan if it is not given.", set()),
        ("active", "", set()),
    ],
)
def test_words_of_booleans_that_leave_out_others(name: str, description: str, values: set[bool]) -> None:
    """“Only open ones, unless this is set” is not about the value true, and false may be the same as nothing."""
    read = api(
        f"""
        paths:
          /plans:
            get:
              parameters: [{{name: {name}, in: query, description: '{description}', schema: {{type: boolean}}}}]
              responses: {{'200': {{description: Plans}}}}
        """.lstrip("\n")
    )
    parameter = read.operations[0].parameters[0]

    assert {value for value in (True, False) if leaves_out_others(parameter, value)} == values
