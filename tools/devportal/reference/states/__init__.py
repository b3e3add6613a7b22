"""State machines as a drawing and a table.

`diagram_cells` turns a machine into a graph and the cells of its drawing. `layered_graph` and `layout` place
the cells, `drawing` has the sizes in pixels, and `html` writes SVG, HTML and Markdown.
"""

from devportal.reference.states.html import StatesView, states_html, states_markdown, states_of

__all__ = ["StatesView", "states_html", "states_markdown", "states_of"]
