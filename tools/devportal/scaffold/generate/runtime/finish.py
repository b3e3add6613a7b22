"""Finishes a site that an engine built from this tree: `python finish.py site`.

Copies what no engine makes: Markdown twins, the search index, llms.txt, the sitemap, hidden files. Names the
canonical address of pages that have another than their own. And moves the icons in the theme's style sheets,
which are `data:` images there, into files: a Content Security Policy with `default-src 'self'` forbids the
others. Needs nothing but Python.
"""

import hashlib
import json
import os
import re
import shutil
import sys
from html import escape
from pathlib import Path
from urllib.parse import unquote_to_bytes

_TREE = Path(__file__).resolve().parent
_CANONICAL = re.compile(r"""(<link rel="canonical" href=")[^"]*(?=")""")
_ICON = re.compile(r"""url\((["']?)data:image/svg\+xml(?:;charset=utf-8)?,(.*?)\1\)""")
_FOLDER = "assets/devportal/icons"


def finish(site: Path, tree: Path = _TREE) -> None:
    """Put into the folder of a site what its engine did not."""
    shutil.copytree(tree / "beside", site, dirs_exist_ok=True)
    canonical = json.loads((tree / "canonical.json").read_text(encoding="utf-8"))
    for name, address in canonical.items():
        page = site / name
        text = page.read_text(encoding="utf-8")
        link = _CANONICAL.search(text)
        if link is not None:
            page.write_text(text[: link.end(1)] + escape(address) + text[link.end() :], encoding="utf-8")
    _move_icons(site)


def _move_icons(site: Path) -> None:
    for sheet in sorted((site / "assets" / "stylesheets").rglob("*.css")):
        css = sheet.read_text(encoding="utf-8")
        icons_path = os.path.relpath(site / _FOLDER, sheet.parent).replace(os.sep, "/")
        for icon in {match[0]: match for match in _ICON.finditer(css)}.values():
            css = css.replace(icon[0], f"url({icons_path}/{_write_icon(icon[2], site)})")
        sheet.write_text(css, encoding="utf-8")


def _write_icon(quoted: str, site: Path) -> str:
    """Write an icon and return its name."""
    content = unquote_to_bytes(quoted)
    name = f"{hashlib.sha256(content).hexdigest()[:12]}.svg"
    (site / _FOLDER).mkdir(parents=True, exist_ok=True)
    (site / _FOLDER / name).write_bytes(content)
    return name


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("usage: python finish.py SITE, where SITE is the folder of a site that was built")
    finish(Path(sys.argv[1]))
