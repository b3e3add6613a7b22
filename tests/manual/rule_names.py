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


class GivenRules:
    """What modules give as a rule: by the keyword `rule`, or where a function has its parameter `rule`."""

    def __init__(self, modules: Iterable[ast.Module]) -> None:
        read = [_Module(tree) for tree in modules]
        places: dict[str, set[int]] = defaultdict(set)
        for module in read:
            for function, at in module.places.items():
                places[function] |= at
        self._given = {name for module in read for name in _names_in_module(module, places)}

    @property
    def names(self) -> set[str]:
        """What has the form of a rule."""
        return {name for name in self._given if _NAME.fullmatch(name)}

    @property
    def misnamed(self) -> set[str]:
        """What has not, and is no sentence: `names` would not have it."""
        return {name for name in self._given if _WORD.fullmatch(name) and not _NAME.fullmatch(name)}


class _Module:
    """The calls of a module, and at which places its functions have a parameter `rule`, by their names."""

    def __init__(self, tree: ast.Module) -> None:
        self.body = tree.body
        self.calls: list[ast.Call] = []
        self.places: dict[str, set[int]] = defaultdict(set)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                self.calls.append(node)
            elif isinstance(node, ast.FunctionDef):
                names = [argument.arg for argument in node.args.args if argument.arg != "self"]
                self.places[node.name] |= {names.index("rule")} if "rule" in names else set()


def _names_in_module(module: _Module, places: Mapping[str, set[int]]) -> Iterator[str]:
    constants = {
        target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in module.calls:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        prefix = "redirect-" if called in _SHORTENED else ""
        values = [keyword.value for keyword in node.keywords if keyword.arg == "rule"]
        values += [node.args[at] for at in places.get(called, ()) if at < len(node.args)]
        known = module.places if called.startswith("_") else places
        if any(
            isinstance(expression, ast.Starred)
            for at in known.get(called, ())
            for expression in node.args[: at + 1]
        ):
            yield "*"
        for value in values:
            text = constants.get(value.id) if isinstance(value, ast.Name) else getattr(value, "value", None)
            if isinstance(text, str):
                yield prefix + text
