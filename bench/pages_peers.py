"""Pages of other tools: the smallest that their documentation gives, its script in a file of its own."""

import json
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from bench.pages_target import Target

from devportal.contract import load_contract
from devportal.contract.published.bundle import bundle

_CONTRACT = "contract.json"
_PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API</title>'
    '<meta name="viewport" content="width=device-width, initial-scale=1">{styles}</head>'
    "<body>{body}{scripts}</body></html>"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A tool from npm, and how its page is made."""

    package: str
    script: str
    """Its bundle, below the folder of the package."""
    body: str
    start: str = ""
    """What its documentation writes inline; a file here, as the strict policy wants it."""
    styles: Sequence[str] = ()
    link: Callable[[Target], str] = field(default=lambda _: "")
    """The fragment of an operation's address."""


PEERS: Mapping[str, Peer] = {
    "redoc": Peer(
        package="redoc",
        script="bundles/redoc.standalone.js",
        body='<div id="redoc"></div>',
        start=f"Redoc.init({_CONTRACT!r}, {{}}, document.getElementById('redoc'))",
        link=lambda target: (
            f"#tag/{quote(target.tag)}/operation/{quote(target.id)}"
            if target.tag
            else f"#operation/{target.id}"
        ),
    ),
    "scalar": Peer(
        package="@scalar/api-reference",
        script="dist/browser/standalone.js",
        body='<div id="app"></div>',
        start=f"Scalar.createApiReference('#app', {{url: {_CONTRACT!r}}})",
        link=lambda target: f"#tag/{target.tag.lower().replace(' ', '-')}/{target.method}{target.path}",
    ),
    "swagger-ui": Peer(
        package="swagger-ui-dist",
        script="swagger-ui-bundle.js",
        body='<div id="ui"></div>',
        start=f"SwaggerUIBundle({{url: {_CONTRACT!r}, dom_id: '#ui', deepLinking: true}})",
        styles=("swagger-ui.css",),
        link=lambda target: f"#/{quote(target.tag or 'default')}/{quote(target.id)}",
    ),
    "elements": Peer(
        package="@stoplight/elements",
        script="web-components.min.js",
        body=f'<elements-api apiDescriptionUrl="{_CONTRACT}" router="hash"></elements-api>',
        styles=("styles.min.css",),
        link=lambda target: f"#/operations/{quote(target.id)}",
    ),
}
"""By the name that is printed."""


def install(folder: Path, tools: Sequence[str], *, with_lighthouse: bool) -> None:
    """Have npm install what is missing. Raises SystemExit if it cannot."""
    wanted = [PEERS[tool].package for tool in tools if tool in PEERS] + ["lighthouse"] * with_lighthouse
    missing = [text for text in wanted if not (folder / "node_modules" / text).is_dir()]
    if not missing:
        return
    folder.mkdir(parents=True, exist_ok=True)
    if shutil.which("npm") is None:
        raise SystemExit(f"npm is not here, which brings {', '.join(missing)}: install it, or leave them out")
    command = [
        "npm",
        "install",
        "--prefix",
        str(folder),
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        *missing,
    ]
    if subprocess.run(command, check=False).returncode:
        raise SystemExit(f"npm could not bring {', '.join(missing)}")


def peer_page(tool: str, folder: Path, contract: Path, target: Target, packages: Path) -> str:
    """Write the page of a tool around a contract; return its address below the folder."""
    peer = PEERS[tool]
    source = packages / "node_modules" / peer.package
    folder.mkdir(parents=True)
    for name in (peer.script, *peer.styles):
        shutil.copy(source / name, folder / Path(name).name)
    whole = bundle(load_contract(contract))  # in one file, as not every tool reads several
    (folder / _CONTRACT).write_text(json.dumps(whole), encoding="utf-8")
    (folder / "start.js").write_text(peer.start, encoding="utf-8")
    styles = "".join(f'<link rel="stylesheet" href="{Path(style).name}">' for style in peer.styles)
    scripts = "".join(f'<script src="{name}"></script>' for name in (Path(peer.script).name, "start.js"))
    page = _PAGE.format(styles=styles, body=peer.body, scripts=scripts)
    (folder / "index.html").write_text(page, encoding="utf-8")
    return f"index.html{peer.link(target)}"
