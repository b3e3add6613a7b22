"""Reads `book.yaml`, in which a project declares its rate book; what is wrong in it is a finding."""

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
from devportal.catalog.book.rules import faults_of
from devportal.catalog.records.json_schemas import or_list, scalar_help, shape_of
from devportal.catalog.records.values import Values
from devportal.documents import Document, Pointer
from devportal.findings import Finding, Level

BOOK = "book.yaml"
"""The name of the file in the folder of records."""

_MOST_DIGITS = 40
_HIGHEST = "999999999"


def parse_book(document: Document) -> tuple[Book | None, tuple[Finding, ...]]:
    """Return the rate book of a file, None if anything is wrong in it, and what that is."""
    wrong = tuple(misfit.finding for misfit in shape_of("book").misfits(document))
    if wrong:
        return None, wrong
    reader = _Reader(document=document)
    book = reader.book()
    for fault in faults_of(book, document.data) if not reader.findings else ():
        reader.report(fault.pointer, fault.message, fault.help)
    return (None if reader.findings else book), tuple(reader.findings)


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Makes a book of data whose shape is right, and notes what makes no sense."""

    document: Document
    findings: list[Finding] = field(default_factory=list)

    def report(self, pointer: Pointer, message: str, help: str) -> None:  # noqa: A002 - Finding's word
        place = self.document.place(pointer)
        self.findings.append(
            Finding(rule="catalog-book", level=Level.ERROR, place=place, message=message, help=help)
        )

    def book(self) -> Book:
        data = self.document.data
        units = tuple(_unit(key, rank, one) for rank, (key, one) in enumerate(data["units"].items()))
        channels = data.get("coverage", {}).get("channels", {})
        return Book(
            markets=_markets(data.get("market", {})),
            units=units,
            products=tuple(self._products(units, channels)),
            billing_terms=tuple(data.get("billing_terms", ())),
            fields=tuple(self._fields(("rate_fields",), data.get("rate_fields", {}))),
            coverage=self._coverage(data.get("coverage", {})),
        )

    def _products(self, units: tuple[Unit, ...], channels: Mapping[str, str]) -> Iterator[Product]:
        known = {one.key: one for one in units}
        for rank, (key, one) in enumerate(self.document.data["products"].items()):
            unit = known.get(one["unit"])
            if unit is None:
                self._report_unknown(("products", key, "unit"), one["unit"], "units", known)
            channel = one.get("channel", key if key in channels else None)
            if channel is not None and channel not in channels:
                self._report_unknown(("products", key, "channel"), channel, "channels of coverage", channels)
            yield Product(
                key=key,
                title=one["title"],
                rank=rank,
                attribute=one.get("attribute", one["title"]),
                unit=unit or units[0],
                channel=channel,
                everywhere=Values(one.get("everywhere", {})),
                unsaid=frozenset(one.get("unsaid", ())),
                takes=frozenset(one["takes"]) if "takes" in one else None,
                needs=frozenset(one.get("needs", ())),
            )

    def _report_unknown(self, pointer: Pointer, key: str, among: str, known: Iterable[str]) -> None:
        name = ".".join(pointer)
        help_ = f"use {or_list(known)}" if known else f"declare {among} first"
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
                    title=one["title"],
                    rank=rank,
                    help=one["help"],
                    is_always_content=one.get("pinned") == "yes",
                )
                for rank, (key, one) in enumerate(features)
            ),
            schemes=_read_named(data.get("registrations", {})),
            fields=tuple(self._fields(("coverage", "fields"), data.get("fields", {}))),
        )

    def _fields(self, pointer: Pointer, data: Mapping[str, Any]) -> Iterator[Field]:
        for name, one in data.items():
            yield self._field((*pointer, name), name, one)

    def _field(self, pointer: Pointer, name: str, data: Mapping[str, Any]) -> Field:
        form = self._form(pointer, data)
        words = data.get("words", "{}")
        in_name = data.get("in_name", "no" if isinstance(form, StepsForm) else "{}")
        headline = data.get("headline", "")
        if headline and headline not in data.get("values", {}):
            self._report_unknown((*pointer, "headline"), headline, "values", data.get("values", {}))
        chosen = data.get("filter")
        return Field(
            name=name,
            form=form,
            title=data["title"],
            plural=data.get("plural", f"{data['title']}s"),
            short=data.get("short", data["title"]),
            column=data.get("column", data.get("short", data["title"])),
            help=data["help"],
            write=data.get("write", _how_to_write(form, data)),
            meaning=data.get("meaning", _sentence(data["help"])),
            words=words,
            in_name="" if in_name == "no" else in_name,
            absent=data.get("absent", "not stated"),
            is_required=data.get("required") == "yes",
            is_key=data.get("key", "no" if isinstance(form, StepsForm) else "yes") == "yes",
            headline=headline,
            filter=Filter(name=chosen.get("name", name), every=chosen["every"]) if chosen else None,
            is_of_market=data.get("of_market") == "yes",
            known_as=tuple(data.get("known_as", ())),
        )

    def _form(self, pointer: Pointer, data: Mapping[str, Any]) -> Form:
        match data["kind"]:
            case "steps":
                self._refuse(pointer, data, frozenset())
                return StepsForm()
            case "list":
                self._refuse(pointer, data, frozenset({"items"}))
                return ListForm(item=self._scalar((*pointer, "items"), data.get("items", {"kind": "text"})))
            case "group":
                self._refuse(pointer, data, frozenset({"parts"}))
                return self._group((*pointer, "parts"), data.get("parts", _NO_PARTS))
            case _:
                return self._scalar(pointer, data)

    def _group(self, pointer: Pointer, data: Mapping[str, Any]) -> GroupForm:
        name, *code = (self._part((*pointer, key), key, one) for key, one in data.items())
        return GroupForm(name=name, code=tuple(code))

    def _part(self, pointer: Pointer, name: str, data: Mapping[str, Any]) -> Part:
        form = self._scalar(pointer, data)
        return Part(
            name=name,
            title=data["title"],
            short=data.get("short", data["title"]),
            help=data["help"],
            write=data.get("write", scalar_help(form)),
            meaning=data.get("meaning", _sentence(data["help"])),
            absent=data.get("absent", "any"),
            form=form,
        )

    def _scalar(self, pointer: Pointer, data: Mapping[str, Any]) -> Scalar:
        self._refuse(pointer, data, _OF_KIND[data["kind"]])
        match data["kind"]:
            case "choice":
                return ChoiceForm(choices=tuple(_choices(data.get("values", {}))))
            case "digits":
                return self._digits(pointer, data)
            case "number":
                return self._number(pointer, data)
            case _:
                return TextForm(pattern=_whole(data.get("pattern", "")), longest=int(data.get("longest", 80)))

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

    def _refuse(self, pointer: Pointer, data: Mapping[str, Any], own: frozenset[str]) -> None:
        """Report what belongs to another kind, and what the kind needs and does not have."""
        for key in sorted((data.keys() & _ALL) - own):
            message = f"a {data['kind']} has no `{key}`"
            self.report((*pointer, key), message, f"remove it, or use another kind than {data['kind']}")
        for key in sorted((own & _NEEDED) - data.keys()):
            if key != "max" or data["kind"] == "number":
                self.report((*pointer, "kind"), f"this {data['kind']} has no `{key}`", f"add `{key}`")


_NO_PARTS = {"name": {"kind": "text", "title": "", "help": ""}}
"""What stands for the parts of a group that has none, which is reported."""
_OF_KIND = {
    "choice": frozenset({"values"}),
    "text": frozenset({"pattern", "longest"}),
    "digits": frozenset({"min", "max", "leading_zeros"}),
    "number": frozenset({"min", "max", "places"}),
}
_ALL = frozenset({"items", "parts"}).union(*_OF_KIND.values())
_NEEDED = frozenset({"values", "items", "parts", "max"})


def _read_named(data: Mapping[str, str]) -> tuple[Named, ...]:
    return tuple(Named(key=key, title=title, rank=rank) for rank, (key, title) in enumerate(data.items()))


def _markets(data: Mapping[str, Any]) -> Markets:
    if not data:
        return Markets()
    zones = tuple(
        Zone(key=key, title=one["title"], rank=rank, countries=tuple(one.get("countries", ())))
        for rank, (key, one) in enumerate(data["zones"].items())
    )
    title = data.get("title", "Zone")
    return Markets(zones=zones, title=title, plural=data.get("plural", f"{title}s"))


def _unit(key: str, rank: int, data: Mapping[str, Any]) -> Unit:
    steps, amount, counter = data.get("steps"), data.get("amount"), data.get("counter")
    return Unit(
        key=key,
        title=data["title"],
        rank=rank,
        noun=data["noun"],
        plural=data.get("plural", f"{data['noun']}s"),
        uses_title=data["uses"],
        amount=_amount(amount) if amount else None,
        steps=Steps(field=steps["field"], per=int(steps["per"])) if steps else None,
        counter=Counter(module=counter["module"], title=counter["title"], start=counter.get("start", ""))
        if counter
        else None,
        examples=tuple(
            Use(title=one["title"], amount=int(one.get("amount", 1)), times=int(one.get("times", 1)))
            for one in data.get("examples", ())
        ),
    )


def _amount(data: Mapping[str, Any]) -> Amount:
    plural = data.get("plural", f"{data['noun']}s")
    return Amount(
        title=data["title"],
        noun=data["noun"],
        plural=plural,
        symbol=data.get("symbol", plural),
        start=int(data.get("start", 1)),
    )


def _choices(data: Mapping[str, Any]) -> Iterator[Choice]:
    for rank, (key, one) in enumerate(data.items()):
        title = one if isinstance(one, str) else one["title"]
        short = title.lower() if isinstance(one, str) else one.get("short", title.lower())
        yield Choice(key=key, title=title, rank=rank, short=short)


def _whole(pattern: str) -> str:
    return f"^(?:{pattern})$" if pattern else ""


def _how_to_write(form: Form, data: Mapping[str, Any]) -> str:
    """Return how the values of a field are written, where its declaration does not say it."""
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


def _sentence(text: str) -> str:
    """Return a help as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."
