"""What somebody could try in a description, and how to see in HTML that it came through."""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

from markdown_it import MarkdownIt

_FORBIDDEN_TAGS = {
    "script", "style", "iframe", "frame", "object", "embed", "applet", "base", "meta", "link", "form",
    "input", "button", "textarea", "select", "svg", "math", "img", "picture", "source", "video", "audio",
    "track",
    "template", "noscript", "portal", "map", "area", "title", "html", "head", "body", "h1",
}  # fmt: skip
_ALLOWED_ATTRIBUTES = {
    "href", "rel", "title", "class", "start", "align", "colspan", "rowspan", "scope",
}  # fmt: skip


_REGION = {"tabindex": "0", "role": "region"}
"""What a table may have around it, with a name."""


class _Tags(HTMLParser):
    """Every tag of a fragment with its attributes."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(fragment)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag."""
        self.found.append((tag, dict(attrs)))


def faults_of(fragment: str) -> list[str]:
    """Name everything in a fragment that could run, load, frame or restyle."""
    faults = []
    for tag, attributes in _Tags(fragment).found:
        faults += [tag] if tag in _FORBIDDEN_TAGS else []
        is_region = (
            tag == "div" and {**attributes, **_REGION, "class": "md-typeset__scrollwrap"} == attributes
        )
        allowed = {*_ALLOWED_ATTRIBUTES, *_REGION, "aria-label"} if is_region else _ALLOWED_ATTRIBUTES
        faults += [f"{tag} {name}" for name in attributes if name not in allowed]
        target = re.sub(r"[\x00-\x20]", "", attributes.get("href") or "")
        if urlsplit(target).scheme.lower() not in {"", "http", "https", "mailto", "tel"}:
            faults.append(target)
    return faults


ATTACKS = {
    "script": "<script>alert(1)</script>",
    "script in upper case": "<SCRIPT SRC=//evil.example></SCRIPT>",
    "script in parts": "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "event handler": "<p onclick=alert(1)>x</p><b onmouseover='x()'>y</b>",
    "event handler of an image": "<img src=x onerror=alert(1)>",
    "event handler behind a slash": "<details/ontoggle=alert(1)/open>x</details>",
    "javascript link": "<a href='javascript:alert(1)'>x</a>",
    "javascript link in mixed case": "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "javascript link with entities": "<a href='&#106;avascript&colon;alert(1)'>x</a>",
    "javascript link with a tab": "<a href='java&Tab;script:alert(1)'>x</a>",
    "javascript link with a line break": '<a href="java\nscript:alert(1)">x</a>',
    "javascript link behind controls": "<a href='&#1; javascript:alert(1)'>x</a>",
    "javascript Markdown link": "[x](javascript:alert(1))",
    "javascript Markdown link with entities": "[x](&#106;avascript:alert(1))",
    "javascript reference link": "[x][r]\n\n[r]: JAVASCRIPT:alert(1)",
    "javascript autolink": "<javascript:alert(1)>",
    "javascript image": "![x](javascript:alert(1))",
    "data link": "<a href='data:text/html,<script>x</script>'>x</a>",
    "data Markdown link": "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "data autolink": "<data:text/html,x>",
    "vbscript link": "<a href='vbscript:x'>x</a> [y](vbscript:y)",
    "file link": "<a href='file:///etc/passwd'>x</a> [y](file:///etc/passwd)",
    "link of another program": "<a href='magnet:?xt=x'>x</a> <a href='ftp://evil.example'>y</a>",
    "style element": "<style>@import '//evil.example'</style>",
    "style attribute": "<p style='background:url(//evil.example)'>x</p>",
    "iframe": "<iframe src=//evil.example></iframe>",
    "iframe with a document": "<iframe srcdoc='<script>x</script>'></iframe>",
    "object and embed": "<object data=//evil.example></object><embed src=//evil.example>",
    "base": "<base href=//evil.example>",
    "meta": "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "link": "<link rel=stylesheet href=//evil.example>",
    "form": "<form action=//evil.example><input name=p><button formaction=//e>b</button></form>",
    "svg": "<svg onload=alert(1)><script>x</script><a xlink:href='javascript:x'>y</a></svg>",
    "svg image": "<svg><image href=//evil.example /></svg>",
    "math": "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></math>",
    "noscript": "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "video": "<video poster=//evil.example src=//evil.example><source src=//evil.example></video>",
    "picture": "<picture><source srcset=//e><img src=//evil.example srcset=//e></picture>",
    "background": "<table background=//evil.example><tr><td background=//evil.example>x</td></tr></table>",
    "citations": "<q cite=//evil.example>x</q><blockquote cite='javascript:x'>y</blockquote>",
    "identity of a page part": "<div id=main class=dp-card name=x>y</div>",
    "comment": "<!--><script>alert(1)</script>-->",
    "broken tag": "<img src='//evil.example' <script>alert(1)",
    "code": '```"onclick=alert(1)\n<script>x</script>\n```',
}

PIECES = (
        "<", ">", "</", "/>", "script", "img ", "src=", "onerror=", "style", "svg", "a href=", "javascript:",
        "'", '"', "`", "\n", " ", "[x](", ")", "![", "](", "<!--", "-->", "<![CDATA[", "]]>", "&lt;",
        "=", "x", "\x00", "\t", "<b>", "</b>", "| a |\n|-|\n", "# ", "- ", "    ", "<h1>", "<table>", "<td>",
    )  # fmt: skip
"""Parts of attacks, to be put together in any order."""


def trusting_reader() -> MarkdownIt:
    """Return a reader of Markdown that takes all HTML and every address as it is."""
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    reader.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    return reader
