"""The environments of a theme, made quick: they list few files, and share templates that were compiled before."""

import marshal
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import CodeType

import jinja2
from jinja2.bccache import Bucket
from jinja2.meta import find_referenced_templates
from mkdocs.theme import Theme

from devportal.forked_task import start_forked_task

_PAGE_TEMPLATE = "main.html"
"""The template of pages that ask for no other."""
THEME = Path(__file__).parents[1] / "theme"
"""The folder of the templates of this plug-in."""
FRAME = "devportal/main.html"
"""What our `main.html` is called by templates of a project that would extend `base.html` of the theme."""
_EXTENDS_BASE = re.compile(r"""(\{%[-+]?\s*extends\s+)(["'])base\.html\2(\s*[-+]?%\})""")


def extend_frame(source: str) -> str:
    """Return a template of a project that extends our frame if it would extend `base.html`, which has none of it."""
    return _EXTENDS_BASE.sub(rf"\1\2{FRAME}\2\3", source)


class _TemplateLoader(jinja2.FileSystemLoader):
    """Loads every template, and lists those outside hidden folders.

    Projects change blocks as the manual of the theme says: in a `main.html` that extends `base.html`. It takes the
    place of ours, which does the same, so it extends ours instead. So do other templates of a project.
    """

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return the text of a template, its file, and whether that is unchanged."""
        if str(THEME) not in self.searchpath:
            return super().get_source(environment, template)
        if template == FRAME:
            return jinja2.FileSystemLoader(THEME).get_source(environment, _PAGE_TEMPLATE)
        source, file, is_unchanged = super().get_source(environment, template)
        projects = self.searchpath[: self.searchpath.index(str(THEME))]
        if any(Path(file).is_relative_to(folder) for folder in projects):
            source = extend_frame(source)
        return source, file, is_unchanged

    def list_templates(self) -> list[str]:
        """Return their names, in order."""
        return sorted({name for folder in self.searchpath for name in _template_names(folder, "")})


def _template_names(folder: str, prefix: str) -> list[str]:
    names: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_dir():
                names.append(f"{prefix}{entry.name}")
            elif not entry.name.startswith(".") and not entry.is_symlink():
                names += _template_names(entry.path, f"{prefix}{entry.name}/")
    return names


_COMPILED: dict[str, tuple[str, CodeType]] = {}
"""The code of each template that was compiled or read in this process, with the checksum of its source."""


class CompiledTemplates(jinja2.BytecodeCache):
    """Keeps compiled templates: those of one build serve the next in the same process, as when pages are served."""

    def __init__(self, folder: Path | None) -> None:
        """Keep them for this process, and in a folder if there is one that can be read and written.

        It may be in the home folder of somebody else, or made by a build as another user.
        """
        self.is_empty = not _COMPILED and not (folder is not None and os.path.exists(folder))  # noqa: PTH110 - never raises
        """Whether nothing was compiled before: neither in this process, nor by a build with the same folder."""
        self._files = _bytecode_files(folder) if folder is not None else None

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the code that was compiled from the same source."""
        checksum, code = _COMPILED.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code
        elif self._files is not None:
            with suppress(OSError):
                self._files.load_bytecode(bucket)
            self._remember(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep new code."""
        self._remember(bucket)
        if self._files is not None:
            with suppress(OSError):
                self._files.dump_bytecode(bucket)

    @staticmethod
    def _remember(bucket: Bucket) -> None:
        if bucket.code is not None:
            _COMPILED[bucket.key] = bucket.checksum, bucket.code


def speed_up_environments(theme: Theme, compiled: Path | None) -> CompiledTemplates:
    """Have a theme's environments list no hidden files, and take templates compiled before.

    The cache, which is returned, keeps them for this process, and in the folder `compiled` if there is one.
    """
    cache, theme_environment = CompiledTemplates(compiled), theme.get_env

    def get_env() -> jinja2.Environment:
        env = theme_environment()
        env.loader = _TemplateLoader(theme.dirs)
        env.bytecode_cache = cache
        return env

    theme.get_env = get_env  # type: ignore[method-assign]
    return cache


def _bytecode_files(folder: Path) -> jinja2.BytecodeCache | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return jinja2.FileSystemBytecodeCache(str(folder))


@contextmanager
def compiling_templates(theme: Theme, load_others: Callable[[], object]) -> Iterator[None]:
    """Have another process, if there can be one, compile templates while the block reads what they are to show.

    They are those of a theme, and those that `load_others` loads through the same cache. What cannot be compiled is
    left to whoever loads it.
    """
    task = start_forked_task(partial(_compiled_templates, theme, load_others))
    try:
        yield
        results = task.results() if task is not None else None
        task = None if results is not None else task
        for key, checksum, code in results or ():
            _COMPILED.setdefault(key, (checksum, marshal.loads(code)))  # noqa: S302 - a copy of this process wrote it
    finally:
        if task is not None:
            task.stop()


def _compiled_templates(theme: Theme, load_others: Callable[[], object]) -> Iterator[tuple[str, str, bytes]]:
    """Yield the templates that were not compiled yet, each with its key and the checksum of its source."""
    known = frozenset(_COMPILED)
    load_others()
    _load_templates(theme.get_env(), [_PAGE_TEMPLATE, *sorted(theme.static_templates)])
    for key, (checksum, code) in _COMPILED.items():
        if key not in known:
            yield key, checksum, marshal.dumps(code)


def _load_templates(env: jinja2.Environment, names: Iterable[str]) -> None:
    """Load templates, and all that they name; what cannot be loaded is left to whoever needs it."""
    waiting, seen = list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or env.loader is None:
            continue
        seen.add(name)
        with suppress(jinja2.TemplateError, OSError):
            source = env.loader.get_source(env, name)[0]
            waiting += filter(None, find_referenced_templates(env.parse(source)))
            env.get_template(name)
