"""The list of problem types, and one page for each."""

from collections.abc import Iterator

from devportal.contract import ProblemType
from devportal.pages import Page, SearchEntry, plain_text
from devportal.reference.items import item_of
from devportal.reference.lists import PROBLEMS, list_pages, ways
from devportal.reference.problems import Problems
from devportal.reference.rendering import Renderer
from devportal.reference.search_entries import problem_entry
from devportal.reference.wording import json_text


def problem_pages(renderer: Renderer, problems: Problems) -> Iterator[Page]:
    """Yield the list of all problem types, and a page for each; nothing where there are none."""
    addresses = renderer.addresses
    items = [
        {"problem": one, "uri": addresses.problems[one.uri], "kind": str(one.status)[:1]} for one in problems
    ]
    pages = list_pages(addresses.errors, items, PROBLEMS) if items else ()
    for one in pages:
        is_first = one.uri == addresses.errors
        title = "Errors" if is_first else f"Errors {one.words}"
        yield renderer.page(
            "errors",
            one.uri,
            title=title,
            description=f"The problem types of {renderer.api.title}: status, cause and what to do.",
            crumbs=renderer.crumbs(*(() if is_first else (("Errors", addresses.errors),))),
            search=SearchEntry(title=title, text="Problem types, RFC 9457 problem+json" if is_first else ""),
            values={"items": one.items, "listed": "Errors", "lists": ways(pages)},
            part_of="" if is_first else addresses.errors,
        )
    for problem in problems:
        if renderer.needed(addresses.problems[problem.uri]):
            yield _page(renderer, problems, problem)


def _page(renderer: Renderer, problems: Problems, problem: ProblemType) -> Page:
    addresses = renderer.addresses
    example = problems.example(problem)
    return renderer.page(
        "problem",
        addresses.problems[problem.uri],
        title=problem.title,
        description=plain_text(problem.description, limit=180),
        crumbs=renderer.crumbs(("Errors", addresses.errors)),
        search=problem_entry(problem),
        values={
            "problem": problem,
            "kind": str(problem.status)[:1],
            "example": "" if example is None else json_text(example, indent=2),
            "operations": tuple(item_of(one, addresses) for one in problems.operations(problem)),
        },
    )
