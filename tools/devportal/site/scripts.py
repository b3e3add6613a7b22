"""Our scripts as readers load them: without comments and blanks, which are for those who read the code.

A fifth less is loaded then. Names stay as they are: what a browser reports is found in the source.
"""

from collections.abc import Iterable
from pathlib import Path

import minify
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

_FOLDER = "assets/devportal/"
minify.config({"js-keep-var-names": True})


def pack_scripts(files: Files, config: MkDocsConfig, theme: Path) -> None:
    """Put each script of our `theme` in its place packed; a project's own in such a place stays as it is."""
    for file in _ours(files, theme):
        packed = File.generated(config, file.src_uri, content=packed_script(file.content_string))
        files.remove(file)
        files.append(packed)


def packed_script(text: str) -> str:
    """Return a script without comments and blanks that nothing needs."""
    return f"{minify.string('application/javascript', text)}\n"


def _ours(files: Iterable[File], theme: Path) -> list[File]:
    return [
        one
        for one in files
        if one.src_uri.startswith(_FOLDER) and one.src_uri.endswith(".js") and one.src_dir == str(theme)
    ]
