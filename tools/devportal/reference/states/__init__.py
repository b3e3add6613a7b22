"""State machines for readers: a drawing, and the same in words.

`graph` says what stands above what, `cells` what takes room, `layered` and `layout` where it is, `diagram`
writes it as SVG. `view` is what the words are made of, `html` and `markdown` write them.
"""

from devportal.reference.states.html import StatesView, states_html, states_markdown, states_of

__all__ = ["StatesView", "states_html", "states_markdown", "states_of"]
