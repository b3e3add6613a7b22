"""The smallest pieces of HTML. Texts are escaped here; what is HTML already says so by its name."""

from html import escape
from urllib.parse import quote

from devportal.contract import ExternalDocs
from devportal.language import CODE, ISOLATED, TEXT


def text(plain: str) -> str:
    """Return plain text as it stands between tags."""
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attribute(plain: str) -> str:
    """Return plain text as it stands in an attribute's quotes."""
    return escape(plain)


def isolated(plain: str) -> str:
    """Return text of a contract between words of ours: neither its language nor its direction is theirs."""
    return f"{ISOLATED}{text(plain)}</bdi>"


def muted_text(plain: str) -> str:
    """Return text of a contract that is set back."""
    return f'<span class="dp-muted"{TEXT}{text(plain)}</span>'


def code(plain: str) -> str:
    """Return text as code in a line."""
    return f"<code>{text(plain)}</code>"


def muted(plain: str) -> str:
    """Return text that is not what one reads first."""
    return f'<span class="dp-muted">{text(plain)}</span>'


def badge(kind: str, words: str = "", *, about: str = "") -> str:
    """Return a mark in the colours of a method or of a stability; `about` is read when one points at it."""
    title = f' title="{attribute(about)}"' if about else ""
    return f'<span class="dp-badge dp-badge--{attribute(kind)}"{title}>{text(words or kind)}</span>'


def end_badge(*, deprecated: bool, sunset: str) -> str:
    """Return the mark of what is on its way out; nothing for what is not."""
    marks = ("deprecated" if deprecated else "", f"sunset {sunset}" if sunset else "")
    words = ", ".join(filter(None, marks))
    return badge("deprecated", words) if words else ""


def block(code_html: str, label: str) -> str:
    """Return a block of code that can be scrolled with the keyboard too."""
    focus = f'tabindex="0" role="region" aria-label="{attribute(label)}"'
    return f'<pre class="dp-code" {focus}{CODE}<code>{code_html}</code></pre>\n'


def heading(level: int, anchor: str, title: str) -> str:
    """Return a heading with its permalink."""
    return f"{heading_html(level, anchor, title, text(title))}\n"


def text_heading(level: int, anchor: str, title: str) -> str:
    """Return a heading with its permalink, its title a text of the contract."""
    return f"{heading_html(level, anchor, title, text(title), end=TEXT)}\n"


def heading_html(level: int, anchor: str, title: str, title_html: str, *, end: str = ">") -> str:
    """Return a heading with its permalink, its title given as HTML too; `end` is how its tag ends."""
    label = attribute(f"Permalink to {title}")
    permalink = f'<a class="dp-anchor" href="#{quote(anchor)}" aria-label="{label}">#</a>'
    return f'<h{level} id="{attribute(anchor)}"{end}{title_html} {permalink}</h{level}>'


def link(url: str, words: str = "") -> str:
    """Return an address as a link, if it is one that a browser may be sent to."""
    if url.startswith(("http://", "https://")):
        return f'<a href="{attribute(url)}" rel="noopener noreferrer">{text(words or url)}</a>'
    return f"{text(words)} {code(url)}"


def docs(external: ExternalDocs | None) -> str:
    """Return the link to documentation elsewhere."""
    return f"<p>{link(external.url, external.description)}</p>" if external else ""
