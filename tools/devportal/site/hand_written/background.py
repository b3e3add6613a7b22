"""Hand-written pages whose Markdown other processes render, while this one goes on with the rest of the site.

The pages that describe Python modules take the longest: the modules are read for the first of them.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page as SitePage

from devportal.forked_task import ForkedTask, start_forked_task
from devportal.parallel import can_fork
from devportal.site.reload.causes import folders_of_modules, mkdocstrings_settings
from devportal.site.reload.kept_pages import KeptPage, KeptPages

MIN_PAGES = 20
"""With fewer pages for each process, starting another costs more than it saves."""
_PYTHON_MODULE = re.compile(r"^(?:#{1,6} *)?::: ?\S", re.MULTILINE)
"""Where mkdocstrings describes a module, class or function."""


class BackgroundPages:
    """The pages of one build that other processes render. What they cannot render is rendered here, as always.

    So is what a build before has rendered: few of these pages have changed.
    """

    def __init__(self, kept: KeptPages, config: MkDocsConfig, files: Files, *, processes: int) -> None:
        """Take what keeps rendered pages, and how many processes may run, this one included."""
        self._kept = kept
        self._config = config
        self._files = files
        self._free = processes - 1 if can_fork() else 0
        self._tasks: dict[str, ForkedTask[tuple[str, KeptPage]]] = {}
        """By the uri of a page, the task that renders it."""
        self._done: set[ForkedTask[tuple[str, KeptPage]]] = set()

    def start_python_pages(self, pages: Sequence[SitePage]) -> None:
        """Start to render the pages that describe Python modules: all in one process, which reads the modules once."""
        if self._free and "mkdocstrings" in self._config.plugins:
            self._start([page for page in self._new(pages) if _describes_python(page)], _render_python_pages)

    def start_other_pages(self, pages: Sequence[SitePage]) -> None:
        """Start to render a part of the other pages in each process that is left; this one renders the first part."""
        others = [page for page in self._new(pages) if page.file.src_uri not in self._tasks]
        parts = min(self._free + 1, len(others) // MIN_PAGES)
        for number in range(1, parts):
            self._start(others[len(others) * number // parts : len(others) * (number + 1) // parts], _render)

    def _new(self, pages: Iterable[SitePage]) -> Iterator[SitePage]:
        return (page for page in pages if page.file.src_uri not in self._kept.pages())

    def _start(self, pages: Sequence[SitePage], render: "_Render") -> None:
        if not pages or self._free < 1:
            return
        task = start_forked_task(partial(render, pages, self._kept, self._config, self._files))
        if task is not None:
            self._free -= 1
            self._tasks |= {page.file.src_uri: task for page in pages}

    def wait_for(self, page: SitePage) -> bool:
        """Have kept what another process made of a page; return whether one was to render it."""
        task = self._tasks.get(page.file.src_uri)
        if task is None:
            return False
        if task not in self._done:
            self._done.add(task)
            self._kept.keep(dict(task.results() or ()))
        return True

    def stop(self) -> None:
        """End all processes that still run."""
        for task in {*self._tasks.values()} - self._done:
            task.stop()
        self._tasks = {}


def _describes_python(page: SitePage) -> bool:
    try:
        return _PYTHON_MODULE.search(page.file.content_string) is not None
    except (OSError, ValueError):  # whoever reads the page next reports it
        return False


_Render = Callable[[Sequence[SitePage], KeptPages, MkDocsConfig, Files], Iterator[tuple[str, KeptPage]]]


def _render_python_pages(
    pages: Sequence[SitePage], kept: KeptPages, config: MkDocsConfig, files: Files
) -> Iterator[tuple[str, KeptPage]]:
    """Render pages that describe Python modules as `_render` does; read only the modules that they need."""
    from devportal.site.hand_written.python_modules import (  # noqa: PLC0415 - it needs what mkdocstrings needs
        needed_modules,
        only_modules,
    )

    texts = tuple(page.file.content_string for page in pages)
    names = needed_modules(texts, mkdocstrings_settings(config), folders_of_modules(config))
    with only_modules(names):
        yield from _render(pages, kept, config, files)


def _render(
    pages: Sequence[SitePage], kept: KeptPages, config: MkDocsConfig, files: Files
) -> Iterator[tuple[str, KeptPage]]:
    """Render pages as MkDocs does, in a process for that alone; yield what is kept of each, with its uri.

    It ends with the first page that cannot be rendered. What is logged is not heard: a page about which there is
    anything to say is not kept, so that it is reported when the page is rendered in place.
    """
    logger = logging.getLogger("mkdocs")
    logger.handlers, logger.propagate = [logging.NullHandler()], False
    for page in pages:
        try:
            config.plugins.on_pre_page(page, config=config, files=files)
            page.read_source(config)
            page.markdown = config.plugins.on_page_markdown(
                page.markdown or "", page=page, config=config, files=files
            )
            kept.attach(page, page.markdown)
            page.render(config, files)
        except Exception:  # noqa: BLE001 - it is raised again where the page is rendered in place
            return
        uri = page.file.src_uri
        if uri in (rendered := kept.pages()):
            yield uri, rendered[uri]
