"""The pages of all sections of a portal, in order, rendered side by side."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from devportal.forked_task import ForkedTask, start_forked_task
from devportal.markup import Artefact, Page
from devportal.site.sections.section import Section, SectionContext

_Render = Callable[[Section, SectionContext], Iterable[Page | Artefact]]


def section_pages(
    sections: Sequence[Section], context: SectionContext, render: _Render
) -> Iterator[Page | Artefact]:
    """Yield the pages and files of sections, one section after the other, as `render` makes them.

    While sections that use several processes are rendered, another process renders those behind them.
    """
    first = next((n for n, section in enumerate(sections) if not section.uses_processes), len(sections))
    before, behind = sections[:first], sections[first:]
    pages_behind = partial(_pages, behind, context, render)
    task: ForkedTask[Page | Artefact] | None = None
    if context.processes > 1 and before and behind:
        task = start_forked_task(pages_behind)
    try:
        yield from _pages(before, context, render)
        results = task.results() if task is not None else None
        task = None if results is not None else task
        yield from results if results is not None else pages_behind()
    finally:
        if task is not None:
            task.stop()


def _pages(
    sections: Iterable[Section], context: SectionContext, render: _Render
) -> Iterator[Page | Artefact]:
    return chain.from_iterable(render(section, context) for section in sections)
