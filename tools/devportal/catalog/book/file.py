"""Reads `book.yaml`, in which a project declares its rate book. Problems become findings."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from devportal.catalog.book.book import (
    NO_REGISTRATION,
    Amount,
    Book,
    Choice,
    ChoiceForm,
    Counter,
    CoverageBook,
    DigitsForm,
    Feature,
    Field,
    Filter,
    Form,
    GroupForm,
    ListForm,
    Markets,
    Named,
    NumberForm,
    Part,
    Product,
    Scalar,
    Steps,
    StepsForm,
    TextForm,
    Unit,
    Use,
    Zone,
)
from devportal.catalog.book.rules import find_book_problems
from devportal.catalog.records.json_schemas import or_list, scalar_help, shape_of
from devportal.catalog.records.values import Values
from devportal.documents import Document, Pointer
from devportal.findings import Finding, Level
from devportal.translation import gettext_noop

BOOK = "book.yaml"
"""The name of the file in the folder of records."""

_MOST_DIGITS = 40
_HIGHEST = "999999999"


def parse_book(document: Document) -> tuple[Book | None, tuple[Finding, ...]]:
    """Return the rate book of a file, or None if it has findings, and the findings."""
    shape_findings = tuple(misfit.finding for misfit in shape_of("book").misfits(document))
    if shape_findings:
        return None, shape_findings
    reader = _Reader(document=document)
    book = reader.book()
    for problem in find_book_problems(book, document.data) if not reader.findings else ():
        reader.report(problem.pointer, problem.message, problem.help)
    return (None if reader.findings else book), tuple(reader.findings)


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Builds a book from data whose shape is valid, and collects the remaining problems."""

    document: Document
    findings: list[Finding] = field(default_factory=list)

    def report(self, pointer: Pointer, message: str, help: str) -> None:  # noqa: A002 - Finding's word
        place = self.document.place(pointer)
        self.findings.append(
            Finding(rule="catalog-book", level=Level.ERROR, place=place, message=message, help=help)
        )

    def book(self) -> Book:
        data = self.document.data
        units = tuple(_read_unit(key, rank, value) for rank, (key, value) in enumerate(data["units"].items()))
        channels = data.get("coverage", {}).get("channels", {})
        return Book(
            markets=_read_markets(data.get("market", {})),
            units=units,
            products=tuple(self._products(units, channels)),
            billing_terms=tuple(data.get("billing_terms", ())),
            fields=tuple(self._fields(("rate_fields",), data.get("rate_fields", {}))),
            coverage=self._coverage(data.get("coverage", {})),
        )

    def _products(self, units: tuple[Unit, ...], channels: Mapping[str, str]) -> Iterator[Product]:
        units_by_key = {declaration.key: declaration for declaration in units}
        for rank, (key, declaration) in enumerate(self.document.data["products"].items()):
            unit = units_by_key.get(declaration["unit"])
            if unit is None:
                self._report_unknown(("products", key, "unit"), declaration["unit"], "units", units_by_key)
            channel = declaration.get("channel", key if key in channels else None)
            if channel is not None and channel not in channels:
                self._report_unknown(("products", key, "channel"), channel, "channels of coverage", channels)
            yield Product(
                key=key,
                title=declaration["title"],
                rank=rank,
                attribute=declaration.get("attribute", declaration["title"]),
                unit=unit or units[0],
                channel=channel,
                everywhere=Values(declaration.get("everywhere", {})),
                unsaid=frozenset(declaration.get("unsaid", ())),
                takes=frozenset(declaration["takes"]) if "takes" in declaration else None,
                needs=frozenset(declaration.get("needs", ())),
            )

    def _report_unknown(self, pointer: Pointer, key: str, among: str, allowed: Iterable[str]) -> None:
        name = ".".join(pointer)
        help_ = f"use {or_list(allowed)}" if allowed else f"declare {among} first"
        self.report(pointer, f"`{name}` is {key!r}, which is none of the {among}", help_)

    def _coverage(self, data: Mapping[str, Any]) -> CoverageBook:
        features = data.get("features", {}).items()
        if NO_REGISTRATION.key in data.get("registrations", {}):
            pointer = ("coverage", "registrations", NO_REGISTRATION.key)
            self.report(pointer, "the registration 'none' is always there", "remove it")
        return CoverageBook(
            lead=data.get("lead", "Where our services can be had, and what is registered first."),
            registrant=data.get("registrant", "a customer"),
            channels=_read_named(data.get("channels", {})),
            features=tuple(
                Feature(
                    key=key,
                    title=value["title"],
                    rank=rank,
                    help=value["help"],
                    is_always_content=value.get("pinned") == "yes",
                )
                for rank, (key, value) in enumerate(features)
            ),
            schemes=_read_named(data.get("registrations", {})),
            fields=tuple(self._fields(("coverage", "fields"), data.get("fields", {}))),
        )

    def _fields(self, pointer: Pointer, data: Mapping[str, Any]) -> Iterator[Field]:
        for name, value in data.items():
            yield self._field((*pointer, name), name, value)

    def _field(self, pointer: Pointer, name: str, data: Mapping[str, Any]) -> Field:
        form = self._form(pointer, data)
        words = data.get("words", "{}")
        in_name = data.get("in_name", "no" if isinstance(form, StepsForm) else "{}")
        headline = data.get("headline", "")
        if headline and headline not in data.get("values", {}):
            self._report_unknown((*pointer, "headline"), headline, "values", data.get("values", {}))
        filter_data = data.get("filter")
        return Field(
            name=name,
            form=form,
            title=data["title"],
            plural=data.get("plural", f"{data['title']}s"),
            short=data.get("short", data["title"]),
            column=data.get("column", data.get("short", data["title"])),
            help=data["help"],
            write=data.get("write", _how_to_write(form, data)),
            meaning=data.get("meaning", _to_sentence(data["help"])),
            words=words,
            in_name="" if in_name == "no" else in_name,
            absent=data.get("absent", gettext_noop("not stated")),
            is_required=data.get("required") == "yes",
            is_key=data.get("key", "no" if isinstance(form, StepsForm) else "yes") == "yes",
            headline=headline,
            filter=Filter(name=filter_data.get("name", name), every=filter_data["every"])
            if filter_data
            else None,
            is_of_market=data.get("of_market") == "yes",
            known_as=tuple(data.get("known_as", ())),
        )

    def _form(self, pointer: Pointer, data: Mapping[str, Any]) -> Form:
        match data["kind"]:
            case "steps":
                self._report_wrong_keys(pointer, data, frozenset())
                return StepsForm()
            case "list":
                self._report_wrong_keys(pointer, data, frozenset({"items"}))
                return ListForm(item=self._scalar((*pointer, "items"), data.get("items", {"kind": "text"})))
            case "group":
                self._report_wrong_keys(pointer, data, frozenset({"parts"}))
                return self._group((*pointer, "parts"), data.get("parts", _NO_PARTS))
            case _:
                return self._scalar(pointer, data)

    def _group(self, pointer: Pointer, data: Mapping[str, Any]) -> GroupForm:
        name, *code = (self._part((*pointer, key), key, value) for key, value in data.items())
        return GroupForm(name=name, code=tuple(code))

    def _part(self, pointer: Pointer, name: str, data: Mapping[str, Any]) -> Part:
        form = self._scalar(pointer, data)
        return Part(
            name=name,
            title=data["title"],
            short=data.get("short", data["title"]),
            help=data["help"],
            write=data.get("write", scalar_help(form)),
            meaning=data.get("meaning", _to_sentence(data["help"])),
            absent=data.get("absent", gettext_noop("any")),
            form=form,
        )

    def _scalar(self, pointer: Pointer, data: Mapping[str, Any]) -> Scalar:
        self._report_wrong_keys(pointer, data, _KEYS_BY_KIND[data["kind"]])
        match data["kind"]:
            case "choice":
                return ChoiceForm(choices=tuple(_read_choices(data.get("values", {}))))
            case "digits":
                return self._digits(pointer, data)
            case "number":
                return self._number(pointer, data)
            case _:
                return TextForm(
                    pattern=_anchor_pattern(data.get("pattern", "")), longest=int(data.get("longest", 80))
                )

    def _digits(self, pointer: Pointer, data: Mapping[str, Any]) -> DigitsForm:
        least, most = Decimal(data.get("min", "1")), Decimal(data.get("max", data.get("min", "40")))
        if least % 1 or most % 1 or not 1 <= least <= most <= _MOST_DIGITS:
            message = f"digits are at least {least:f} and at most {most:f}"
            help_ = f"write whole numbers from 1 to {_MOST_DIGITS}, max not below min"
            self.report((*pointer, "max" if "max" in data else "kind"), message, help_)
        zeros = data.get("leading_zeros", "yes") == "yes"
        return DigitsForm(least=int(least), most=int(most), leading_zeros=zeros)

    def _number(self, pointer: Pointer, data: Mapping[str, Any]) -> NumberForm:
        least, most = Decimal(data.get("min", "0")), Decimal(data.get("max", _HIGHEST))
        if least > most:
            message = f"the lowest value is {least:f}, the highest {most:f}"
            self.report((*pointer, "max"), message, "write a max that is not below min")
        return NumberForm(least=least, most=most, places=int(data.get("places", "0")))

    def _report_wrong_keys(self, pointer: Pointer, data: Mapping[str, Any], allowed: frozenset[str]) -> None:
        """Report keys that belong to another kind, and missing keys of this kind."""
        for key in sorted((data.keys() & _KIND_KEYS) - allowed):
            message = f"a {data['kind']} has no `{key}`"
            self.report((*pointer, key), message, f"remove it, or use another kind than {data['kind']}")
        for key in sorted((allowed & _REQUIRED_KEYS) - data.keys()):
            if key != "max" or data["kind"] == "number":
                self.report((*pointer, "kind"), f"this {data['kind']} has no `{key}`", f"add `{key}`")


_NO_PARTS = {"name": {"kind": "text", "title": "", "help": ""}}
"""The parts of a group that declares none. The missing parts are reported."""
_KEYS_BY_KIND = {
    "choice": frozenset({"values"}),
    "text": frozenset({"pattern", "longest"}),
    "digits": frozenset({"min", "max", "leading_zeros"}),
    "number": frozenset({"min", "max", "places"}),
}
_KIND_KEYS = frozenset({"items", "parts"}).union(*_KEYS_BY_KIND.values())
_REQUIRED_KEYS = frozenset({"values", "items", "parts", "max"})


def _read_named(data: Mapping[str, str]) -> tuple[Named, ...]:
    return tuple(Named(key=key, title=title, rank=rank) for rank, (key, title) in enumerate(data.items()))


def _read_markets(data: Mapping[str, Any]) -> Markets:
    if not data:
        return Markets()
    zones = tuple(
        Zone(key=key, title=value["title"], rank=rank, countries=tuple(value.get("countries", ())))
        for rank, (key, value) in enumerate(data["zones"].items())
    )
    title = data.get("title", "Zone")
    return Markets(zones=zones, zone_title=title, zone_plural=data.get("plural", f"{title}s"))


def _read_unit(key: str, rank: int, data: Mapping[str, Any]) -> Unit:
    steps, amount, counter = data.get("steps"), data.get("amount"), data.get("counter")
    return Unit(
        key=key,
        title=data["title"],
        rank=rank,
        noun=data["noun"],
        plural=data.get("plural", f"{data['noun']}s"),
        uses_title=data["uses"],
        is_monthly=data.get("monthly", "yes") == "yes",
        amount=_read_amount(amount) if amount else None,
        steps=Steps(field=steps["field"], per=int(steps["per"])) if steps else None,
        counter=Counter(module=counter["module"], title=counter["title"], start=counter.get("start", ""))
        if counter
        else None,
        examples=tuple(
            Use(
                title=example["title"],
                amount=int(example.get("amount", 1)),
                times=int(example.get("times", 1)),
            )
            for example in data.get("examples", ())
        ),
    )


def _read_amount(data: Mapping[str, Any]) -> Amount:
    plural = data.get("plural", f"{data['noun']}s")
    return Amount(
        title=data["title"],
        noun=data["noun"],
        plural=plural,
        symbol=data.get("symbol", plural),
        start=int(data.get("start", 1)),
    )


def _read_choices(data: Mapping[str, Any]) -> Iterator[Choice]:
    for rank, (key, declaration) in enumerate(data.items()):
        title = declaration if isinstance(declaration, str) else declaration["title"]
        short = title.lower() if isinstance(declaration, str) else declaration.get("short", title.lower())
        yield Choice(key=key, title=title, rank=rank, short=short)


def _anchor_pattern(pattern: str) -> str:
    return f"^(?:{pattern})$" if pattern else ""


def _how_to_write(form: Form, data: Mapping[str, Any]) -> str:
    """Return how to write the values of a field that does not declare it."""
    title = data["title"].lower()
    match form:
        case ListForm(item=item):
            return f"{title}: a list, where you {scalar_help(item)} for each item"
        case GroupForm() as group:
            names = " and ".join(", ".join(part.name for part in group.parts).rsplit(", ", 1))
            return f"{title}: a mapping of {names}"
        case StepsForm():
            return "write the first step and the following ones as 1/1, 60/60 or 30/6"
        case form:
            return scalar_help(form)


def _to_sentence(text: str) -> str:
    """Return a help text as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."
