"""Contracts of the tests, and the pages made of them, as something to ask questions."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import yaml

from devportal.contract import Api, Operation, read_contract
from devportal.documents import parse_document
from devportal.markup import Page
from devportal.project.settings import Settings
from devportal.reference.pages.pages import reference_pages
from devportal.reference.schema.described_values import ValueDescription
from devportal.reference.schema.fields import Field
from tests.contracts import contract_at
from tests.corpus import corpus_contract

CONTRACTS = Path(__file__).parent / "contracts"
RICH = ("rich-3.0.yaml", "rich-3.1.yaml")
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@lru_cache(maxsize=8)
def api_of(name: str) -> Api:
    """Return the model of a contract in `contracts/`."""
    contract = contract_at(CONTRACTS / name, name)
    assert contract.findings == (), contract.findings
    return contract.api


def api_from(document: dict[str, Any]) -> Api:
    """Return the model of a contract given as data; `info` and `openapi` may be left out."""
    whole = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, **document}
    return read_contract(
        parse_document(
            yaml.dump(whole, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False), name="t.yaml"
        )
    ).api


def pages_of(api: Api, settings: Settings = Settings(), **options: Any) -> dict[str, Page]:
    """Return the pages of a contract by uri; no two have the same."""
    pages = [
        reference_page
        for reference_page in reference_pages(api, settings, **options)
        if isinstance(reference_page, Page)
    ]
    assert len({page.uri for page in pages}) == len(pages)
    return {page.uri: page for page in pages}


@lru_cache(maxsize=1)
def pages_of_others(name: str) -> dict[str, Page]:
    """Return the pages of a contract of the corpus, made once for the tests of that file."""
    return pages_of(corpus_contract(name).api)


def operation(api: Api, operation_id: str) -> Operation:
    """Return an operation by its id."""
    return next(item for item in api.operations if item.id == operation_id)


@dataclass(slots=True)
class Element:
    """An element with its attributes and what is inside; texts are plain strings."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element | str"] = field(default_factory=list)

    def all(self) -> Iterator["Element"]:
        """Yield this element and all below, in document order."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.all()

    def find(self, tag: str = "", *, cls: str = "", id: str = "") -> list["Element"]:  # noqa: A002
        """Return the elements of a tag, a class and an id, whichever are given."""
        return [
            element
            for element in self.all()
            if (not tag or element.tag == tag)
            and (not cls or cls in element.attributes.get("class", "").split())
            and (not id or element.attributes.get("id") == id)
        ]

    @property
    def text(self) -> str:
        """The text, with runs of white space as one space."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("#root")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"an attribute twice in {self.get_starttag_text()}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}> at {self.getpos()}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse_html(html: str) -> Element:
    """Return the tree of a piece of HTML; fails where an element is not closed where it should be."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    assert [element.tag for element in builder.open] == ["#root"]
    return builder.open[0]


def field_saying(name: str, anchor: str, **values: Any) -> Field:
    """Return a field of which is said, and inside which is, what the values tell."""
    said = {item.name: values.pop(item.name) for item in fields(ValueDescription) if item.name in values}
    return Field(name=name, anchor=anchor, value=ValueDescription(**said), **values)
