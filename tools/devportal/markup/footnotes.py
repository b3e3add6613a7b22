"""Footnotes of GitHub's Markdown: `[^tide]` in a text, and `[^tide]: See the tables.` anywhere in it.

CommonMark has none, but many descriptions do. References become numbers, and the notes a list at the end of the
text. No link leads from one to the other: a page may show one text several times, and has each id once.
"""

import re
from collections.abc import MutableMapping
from functools import partial
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_DEFINITION = re.compile(r"\[\^([^\s\[\]]+)\]:[ \t]*")
_REFERENCE = re.compile(r"\[\^([^\s\[\]]+)\]")
_INDENT = 4
"""By how many columns the further blocks of a note are indented."""
_NOTE_OPEN, _NOTE_CLOSE = "footnote_open", "footnote_close"
_LABELS, _NUMBERS = "footnote_labels", "footnote_numbers"
"""What is kept about a text while it is read: the labels of its notes, and the numbers given so far."""


def add_footnotes(parser: MarkdownIt) -> MarkdownIt:
    """Return the parser, which now reads footnotes."""
    alternatives = RuleOptionsType(alt=["paragraph", "reference"])
    parser.block.ruler.before("reference", "footnote_definition", _read_definition, alternatives)
    parser.inline.ruler.before("link", "footnote_reference", _read_reference)
    parser.core.ruler.after("inline", "footnote_list", _move_notes)
    return parser


def without_footnotes(text: str, *, notes_in: str) -> str:
    """Return text without references to the notes in another, for a line that has no room for them."""
    labels = {_note_key(found[1]) for found in _DEFINITION.finditer(notes_in)}
    return (
        _REFERENCE.sub(lambda found: "" if _note_key(found[1]) in labels else found[0], text)
        if labels
        else text
    )


def _read_definition(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:  # noqa: FBT001 (of the parser)
    """Read the blocks of a note, as those of a list item are read: its first line, and all that is indented."""
    if state.is_code_block(line):
        return False
    found = _DEFINITION.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line])
    if found is None:
        return False
    if silent:
        return True
    before = (state.bMarks[line], state.tShift[line], state.sCount[line], state.blkIndent, state.parentType)
    state.push(_NOTE_OPEN, "", 1).meta = {"label": _note_key(found[1])}
    state.env.setdefault(_LABELS, set()).add(_note_key(found[1]))
    state.bMarks[line], state.tShift[line] = found.end(), 0
    state.blkIndent += _INDENT
    state.sCount[line], state.parentType = state.blkIndent, "footnote"
    state.md.block.tokenize(state, line, end_line)
    (
        state.bMarks[line],
        state.tShift[line],
        state.sCount[line],
        state.blkIndent,
        state.parentType,
    ) = before
    state.push(_NOTE_CLOSE, "", -1)
    return True


def _read_reference(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 (of the parser)
    """Read a reference to a note that exists as its number, in the order of first references."""
    found = _REFERENCE.match(state.src, state.pos, state.posMax)
    if found is None or _note_key(found[1]) not in state.env.get(_LABELS, ()):
        return False
    if not silent:
        state.push("sup_open", "sup", 1)
        state.push("text", "", 0).content = f"[{_note_number(state.env, _note_key(found[1]))}]"
        state.push("sup_close", "sup", -1)
    state.pos = found.end()
    return True


def _move_notes(state: StateCore) -> None:
    """Move the notes to the end of the text, in the order of their numbers; those without a reference come last."""
    if _LABELS not in state.env:
        return
    notes: dict[str, list[Token]] = {}
    text: list[Token] = []
    open_notes: list[list[Token]] = []
    for token in state.tokens:
        if token.type == _NOTE_OPEN:
            open_notes.append(notes.setdefault(token.meta["label"], []))
        elif token.type == _NOTE_CLOSE:
            open_notes.pop()
        else:
            (open_notes[-1] if open_notes else text).append(token)
    state.tokens = [*text, *([Token("hr", "hr", 0, block=True)] if text else ())]
    state.tokens.append(Token("ordered_list_open", "ol", 1, block=True))
    for label in sorted(notes, key=partial(_note_number, state.env)):
        state.tokens.append(Token("list_item_open", "li", 1, block=True))
        state.tokens += _without_paragraph(notes[label])
        state.tokens.append(Token("list_item_close", "li", -1, block=True))
    state.tokens.append(Token("ordered_list_close", "ol", -1, block=True))


def _note_key(label: str) -> str:
    return label.casefold()


def _note_number(env: MutableMapping[str, Any], key: str) -> int:
    """Return the number of a note: the next one, if nothing has asked for it before."""
    numbers: dict[str, int] = env.setdefault(_NUMBERS, {})
    return numbers.setdefault(key, len(numbers) + 1)


def _without_paragraph(note: list[Token]) -> list[Token]:
    """Return the tokens of a note, without the marks of its paragraph if it is only one, as in a tight list."""
    return note[1:-1] if len(note) == 3 and note[0].type == "paragraph_open" else note
