"""Files that pages include with the extension `pymdownx.snippets`: a page has them, and so has its Markdown twin."""

from typing import Any

import markdown
from mkdocs.config.defaults import MkDocsConfig

_EXTENSION = "pymdownx.snippets"
_MARK = "-8<-"
"""What each inclusion has, with one hyphen or more on both sides."""


def expand_snippets(source: str, config: MkDocsConfig) -> str:
    """Return the Markdown of a page with the files that it includes, read with the settings of the project.

    What the extension appends to every page, such as abbreviations, is left out.
    """
    if _MARK not in source or _EXTENSION not in config.markdown_extensions:
        return source
    settings: dict[str, Any] = {**config.mdx_configs.get(_EXTENSION, {}), "auto_append": []}
    reader = markdown.Markdown(extensions=[_EXTENSION], extension_configs={_EXTENSION: settings})
    return "\n".join(reader.preprocessors["snippet"].run(source.split("\n")))
