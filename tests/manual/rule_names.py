"""The names of rules that code gives to findings, read from the code itself."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

_NAME = re.compile(r"[a-z]+(?:-[a-z]+)+|leak")
_WORD = re.compile(r"\S+")
"""What can be meant as a name; functions of one name may take a sentence where another takes its rule."""
_SHORTENED = {"redirect_finding", "_report_redirect"}
"""Take the end of a name, behind `redirect-`."""


def rule_names(modules: Iterable[ast.Module]) -> set[str]:
    """Return what is given as a rule: by the keyword `rule`, or where a function has its parameter `rule`."""
    trees = list(modules)
    places = _places(trees)
    return {name for tree in trees for name in _names_in_module(tree, places) if _NAME.fullmatch(name)}


def misnamed_rules(modules: Iterable[ast.Module]) -> set[str]:
    """Return what is given as a rule and has not the form of one, which `rule_names` would not see."""
    trees = list(modules)
    places = _places(trees)
    names = {name for tree in trees for name in _names_in_module(tree, places)}
    return {name for name in names if _WORD.fullmatch(name) and not _NAME.fullmatch(name)}


def _places(trees: Iterable[ast.Module]) -> Mapping[str, set[int]]:
    """Return at which places functions have a parameter `rule`, by their names."""
    places: dict[str, set[int]] = defaultdict(set)
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                names = [argument.arg for argument in node.args.args if argument.arg != "self"]
                places[node.name] |= {names.index("rule")} if "rule" in names else set()
    return places


def _names_in_module(tree: ast.Module, places: Mapping[str, set[int]]) -> Iterator[str]:
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    own = _places([tree])
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            prefix = "redirect-" if called in _SHORTENED else ""
            values = [keyword.value for keyword in node.keywords if keyword.arg == "rule"]
            values += [node.args[at] for at in places.get(called, ()) if at < len(node.args)]
            known = own if called.startswith("_") else places
            if any(
                isinstance(expression, ast.Starred)
                for at in known.get(called, ())
                for expression in node.args[: at + 1]
            ):
                yield "*"
            for value in values:
                text = (
                    constants.get(value.id) if isinstance(value, ast.Name) else getattr(value, "value", None)
                )
                if isinstance(text, str):
                    yield prefix + text
