"""Modules that are joined do what they did apart."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from devportal.site.links.assets import links_in_module
from devportal.site.rendering.environments import THEME
from devportal.site.rendering.joined_modules import join_modules, module_graph
from tests.javascript import node
from tests.waiting import PATIENCE_S

MODULES = {
    "a/first.js": """import { count, word as text } from "./library.js";
import { again } from "./more/again.js";
const name = "first";
console.log(name, text, count(), again());
""",
    "a/second.js": """import "./effect.js";
import { count } from "./library.js";
const name = "second";
console.log(name, count());
import("./later.js").then(({ late }) => console.log(late, new URL("../", import.meta.url).pathname.slice(-3)));
""",
    "a/library.js": """let calls = 0;
export function count() {
  return calls += 1;
}
export const word = "word";
export class Word {}
""",
    "a/more/again.js": """import { count } from "../library.js";
export { word } from "../library.js";
export const again = () => count();
""",
    "a/effect.js": 'console.log("effect");\n',
    "a/later.js": 'export const late = "late";\n',
}


def run_modules(folder: Path, modules: Mapping[str, str], *entries: str) -> str:
    """Return what modules print, run one after the other."""
    for name, text in modules.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "all.js").write_text("".join(f'import "./{entry}";\n' for entry in entries), encoding="utf-8")
    return subprocess.run(
        [node(), "all.js"], cwd=folder, check=True, capture_output=True, text=True, timeout=PATIENCE_S
    ).stdout


def test_joined_modules_run_as_they_did(tmp_path: Path) -> None:
    """In their order, each once, with names of their own and one state; addresses lead where they led."""
    joined = join_modules(["a/first.js", "a/second.js"], MODULES, folder="a/joined/")
    apart = run_modules(tmp_path / "apart", MODULES, "a/first.js", "a/second.js")

    together = run_modules(tmp_path / "joined", {**MODULES, "a/joined/all.js": joined}, "a/joined/all.js")

    assert apart.startswith("first word 1 2\neffect\nsecond 3\nlate ")
    assert together.replace("/joined/", "/apart/").splitlines()[:3] == apart.splitlines()[:3]
    assert '"../later.js"' in joined
    assert 'new URL("../../", import.meta.url)' in joined


def test_an_entry_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    """As with modules that a page loads one by one: the failure is reported, here by a function of the test."""
    modules = {"a.js": "const a = 1;\nnull.b;\n", "c.js": 'console.log("c");\n'}
    joined = join_modules(["a.js", "c.js"], modules, folder="")

    report = "globalThis.reportError = ({ name }) => console.log(name);\n"
    assert run_modules(tmp_path, {"joined.js": report + joined}, "joined.js") == "TypeError\nc\n"


def test_a_graph_is_in_the_order_of_evaluation() -> None:
    """What a module imports comes before it, each once."""
    assert module_graph(["a/first.js", "a/second.js"], MODULES) == (
        "a/library.js",
        "a/more/again.js",
        "a/first.js",
        "a/effect.js",
        "a/second.js",
    )


@pytest.mark.parametrize(
    "text",
    [
        'import all from "./b.js";\n',
        'import * as all from "./b.js";\n',
        "export default 1;\n",
        "export let changing = 1;\n",
        "export { one };\nconst one = 1;\n",
        "console.log(import.meta.url);\n",
        "import(`./${name}.js`);\n",
        'import("./a.js");\n',
    ],
)
def test_what_cannot_be_joined_is_refused(text: str) -> None:
    """A module that needs more than is read, and one that would be loaded twice."""
    with pytest.raises(ValueError, match=r"^a\.js: "):
        join_modules(["a.js"], {"a.js": text, "b.js": ""}, folder="joined/")


def test_nothing_that_a_page_runs_is_imported_by_others() -> None:
    """Modules that act by themselves are loaded as a part of a bundle: another copy would act once more."""
    folder = THEME / "assets/devportal"
    imported = {
        (path.parent / link.target).resolve().relative_to(folder).as_posix()
        for path in folder.rglob("*.js")
        for link in links_in_module(path.read_text(encoding="utf-8"))
        if link.target.endswith(".js")
    }

    assert "places.js" in imported
    acting = {"search.js", "portal.js", "chrome.js", "copy.js", "console.js", "server.js", "catalog.js"}
    acting |= {"estimate.js", "markets.js", "changelog.js", "compare.js", "hand-out.js"}
    assert imported & acting == set()
