"""One message about several changes, in the form of each channel. All texts of a portal are untrusted."""

import hashlib
import html
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Any

from devportal.integrators.affected import impact_rank
from devportal.notifications.notices import PRICE, Notice
from devportal.notifications.settings import Subscription
from devportal.reporting.printable import count_noun, printable_line

EVENT_TYPE = "api.changes"
"""The type of the events that webhooks get."""
_MOST_GROUPS = 100
"""How many paragraphs one message has: the rest is in the next one."""
_MOST_NOTICES = 1_000
"""How many changes one message has."""
_MOST_MESSAGES = 5
"""How many changes of one paragraph are written out."""
_MOST_IN_CHAT = 20
_LONGEST_HEADER = 150
_LONGEST_SECTION = 3_000
"""Characters of a plain text header and of a section of Slack (Block Kit, "Header block", "Section block")."""
_LONGEST_CARD = 24_000
"""Bytes of a card: Teams takes 28 KB with all around it."""
_LONGEST_TEXT = 400
_MANY = 3
_SLACK_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_CARD_MARKUP = re.compile(r"[*]|(?<!\w)_|_(?!\w)|\](?=\()|:(?=//)|@(?=\w)")
_SLACK_MARKUP = re.compile(r"[*~`]|(?<!\w)_|_(?!\w)|(?<=\S)(?=://)|@(?=\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What one message has: `title` is the API's name, `url` the changelog's address, empty if it is not known."""

    title: str
    url: str
    notices: tuple[Notice, ...]
    subscription: Subscription

    @property
    def id(self) -> str:
        """Return an id of the message: the same each time that the same changes are sent to the same subscriber."""
        parts = "\0".join((self.subscription.name, *sorted(notice.id for notice in self.notices)))
        return f"msg_{hashlib.sha256(parts.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"

    @property
    def releases(self) -> tuple[str, ...]:
        """Return the versions that have the changes, each once."""
        return tuple(dict.fromkeys(notice.release for notice in self.notices if notice.impact != PRICE))

    @property
    def headline(self) -> str:
        """Return the content in one line: `Parcels 2.0.0: 1 breaking, 2 additive`."""
        counts = Counter(notice.impact for notice in self.notices)
        ordered = sorted((count for count in counts if count != PRICE), key=impact_rank, reverse=True)
        parts = [f"{counts[text]:,} {text}" for text in ordered]
        parts += [count_noun(counts[PRICE], "price change")] if counts[PRICE] else []
        named = f" {self.releases[0]}" if len(self.releases) == 1 else ""
        if len(self.releases) > 1:
            named = f", {count_noun(len(self.releases), 'release')}"
        return printable_line(f"{self.title}{named}: {', '.join(parts)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Changes that stand together: those of one entry with one impact, or the same change at several places."""

    heading: str
    title: str
    messages: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    url: str
    count: int


_Notices = tuple[Notice, ...]


def paragraphs(notices: _Notices) -> tuple[Paragraph, ...]:
    """Return changes as paragraphs, in their order."""
    return tuple(map(_paragraph, _groups(notices)))


def split_notices(notices: _Notices) -> Iterator[_Notices]:
    """Yield the changes of each message. What stands in one paragraph stays together, if it is not too much."""
    part: list[Notice] = []
    count = 0
    for group in _groups(notices):
        if part and (count == _MOST_GROUPS or len(part) + len(group) > _MOST_NOTICES):
            yield tuple(part)
            part, count = [], 0
        part += group
        count += 1
    if part:
        yield tuple(part)


def _groups(notices: _Notices) -> tuple[_Notices, ...]:
    groups: dict[tuple[str, ...], list[Notice]] = {}
    for notice in notices:
        name = (notice.title, notice.url) if notice.title else (notice.message, notice.advice)
        key = (
            ("price", notice.id)
            if notice.impact == PRICE
            else (notice.impact, notice.release, notice.when, *name)
        )
        groups.setdefault(key, []).append(notice)
    return tuple(map(tuple, groups.values()))


def _paragraph(group: _Notices) -> Paragraph:
    first = group[0]
    messages = tuple(dict.fromkeys(_short(notice.message) for notice in group))
    more = len(messages) - _MOST_MESSAGES
    shown = (*messages[:_MOST_MESSAGES], *([f"and {count_noun(more, 'more change')}"] if more > 0 else []))
    return Paragraph(
        heading=_heading(first),
        title=first.title,
        messages=shown,
        facts=tuple(_facts(group)),
        url=first.url,
        count=len(group),
    )


def _short(text: str, longest: int = _LONGEST_TEXT) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _heading(notice: Notice) -> str:
    """Return what kind of change it is, and when: `breaking in 2.0.0, in effect from 2026-10-01`."""
    if notice.impact == PRICE:
        return f"price, {notice.release}" if notice.release else "price"
    return ", ".join(filter(None, (f"{notice.impact} in {notice.release}", notice.when)))


def _facts(group: _Notices) -> Iterator[tuple[str, str]]:
    """Yield what else there is to say, with labels."""
    names = tuple(dict.fromkeys(name for notice in group for name in notice.affects))
    more = len(names) - _MANY
    affects = ", ".join(names[:_MANY]) + (f" and {more:,} more" if more > 0 else "")
    rows = (
        ("Affects", affects),
        ("Message", next((notice.proof for notice in group if notice.proof), "")),
        (
            "Details" if group[0].impact == PRICE else "What to do",
            next((notice.advice for notice in group if notice.advice), ""),
        ),
    )
    yield from ((label, _short(text)) for label, text in rows if text)


def to_text(digest: Digest) -> str:
    """Return the message as plain text."""
    lines = [digest.headline, ""]
    for paragraph in paragraphs(digest.notices):
        lines += [paragraph.heading, *([f"  {paragraph.title}"] if paragraph.title else [])]
        lines += [f"  {message}" for message in paragraph.messages]
        lines += [f"  {label}: {text}" for label, text in paragraph.facts]
        lines += [f"  {paragraph.url}"] if paragraph.url else []
        lines.append("")
    lines += [f"All changes: {digest.url}"] if digest.url else []
    return "".join(f"{line}\n" for line in lines)


def to_html(digest: Digest) -> str:
    """Return the message as HTML without styles, scripts and pictures."""
    rows = "".join(f"<li>{_html_paragraph(paragraph)}</li>\n" for paragraph in paragraphs(digest.notices))
    foot = f'<p><a href="{html.escape(digest.url)}">All changes</a></p>\n' if digest.url else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f"<title>{html.escape(digest.headline)}</title></head>\n<body>\n"
        f"<h1>{html.escape(digest.headline)}</h1>\n<ul>\n{rows}</ul>\n{foot}</body>\n</html>\n"
    )


def _html_paragraph(paragraph: Paragraph) -> str:
    name, *messages = (paragraph.title, *paragraph.messages) if paragraph.title else paragraph.messages
    link = (
        f'<a href="{html.escape(paragraph.url)}">{html.escape(name)}</a>'
        if paragraph.url
        else html.escape(name)
    )
    parts = [f"<b>{html.escape(paragraph.heading)}</b>", link, *map(html.escape, messages)]
    parts += [f"{label}: {html.escape(text)}" for label, text in paragraph.facts]
    return "<br>\n".join(parts)


def to_email(digest: Digest, *, at: datetime) -> EmailMessage:
    """Return the message as an email with text and HTML. It is the same for the same time."""
    subscription = digest.subscription
    message = EmailMessage(policy=SMTP)
    message["Subject"] = _short(digest.headline, 200)
    message["From"] = Address(addr_spec=subscription.sender)
    if len(subscription.recipients) == 1:
        message["To"] = Address(addr_spec=subscription.recipients[0])
    else:
        message["To"] = "undisclosed-recipients:;"
    message["Date"] = at.astimezone(UTC)
    message["Message-ID"] = f"<{digest.id}@{subscription.sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(_encodable(to_text(digest)))
    message.add_alternative(_encodable(to_html(digest)), subtype="html")
    message.set_boundary(f"=_{digest.id}")
    return message


def _encodable(text: str) -> str:
    """Return text that has bytes: half a surrogate pair is an escape."""
    return text.encode("utf-8", "backslashreplace").decode()


def slack_payload(digest: Digest) -> dict[str, Any]:
    """Return the message for an incoming webhook of Slack: blocks, and a text for notifications."""
    every = paragraphs(digest.notices)
    shown = every[:_MOST_IN_CHAT]
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": {"type": "plain_text", "text": _short(digest.headline, _LONGEST_HEADER)}}
    ]
    blocks += [
        {"type": "section", "text": {"type": "mrkdwn", "text": _slack_paragraph(paragraph)}}
        for paragraph in shown
    ]
    rest = _remainder_text(every, _MOST_IN_CHAT)
    if rest or digest.url:
        link = f"<{_slack_url(digest.url)}|All changes>" if digest.url else ""
        text = " · ".join(filter(None, (rest, link)))
        blocks.append({"type": "context", "elements": [{"type": "mrkdwn", "text": text}]})
    return {"text": _short(_slack_text(digest.headline), _LONGEST_SECTION), "blocks": blocks}


def _slack_paragraph(paragraph: Paragraph) -> str:
    name, *messages = (
        (_short(paragraph.title, 200), *paragraph.messages) if paragraph.title else paragraph.messages
    )
    link = f"<{_slack_url(paragraph.url)}|{_slack_text(name)}>" if paragraph.url else _slack_text(name)
    lines = [f"*{_slack_text(paragraph.heading)}*", link, *map(_slack_text, messages)]
    lines += [f"{label}: {_slack_text(text)}" for label, text in paragraph.facts]
    text = "\n".join(lines)
    return text if len(text) <= _LONGEST_SECTION else "\n".join(lines[:2])[:_LONGEST_SECTION]


def _slack_text(text: str) -> str:
    """Return text in which nothing is markup, a mention or a link: escaped, with characters of no width."""
    safe = "".join(_SLACK_ESCAPES.get(character, character) for character in text).replace("|", "¦")
    return _SLACK_MARKUP.sub(lambda match: f"{match.group()}\u200b", safe)


def _slack_url(url: str) -> str:
    return url.replace("&", "&amp;").replace("<", "%3C").replace(">", "%3E").replace("|", "%7C")


def teams_payload(digest: Digest) -> dict[str, Any]:
    """Return the message for a workflow of Microsoft Teams: an Adaptive Card, small enough for it."""
    for most in (_MOST_IN_CHAT, _MOST_IN_CHAT // 2, _MOST_IN_CHAT // 4, 1):
        payload = _teams_card(digest, most)
        if len(json.dumps(payload).encode()) <= _LONGEST_CARD:
            break
    return payload


def _teams_card(digest: Digest, most: int) -> dict[str, Any]:
    body: list[dict[str, Any]] = [_text_block(digest.headline, size="Large", weight="Bolder")]
    every = paragraphs(digest.notices)
    for paragraph in every[:most]:
        body.append(_text_block(paragraph.heading, weight="Bolder", separator=True, spacing="Medium"))
        texts = [*([paragraph.title] if paragraph.title else []), *paragraph.messages]
        texts += [f"{label}: {text}" for label, text in paragraph.facts]
        body += [_text_block(text, spacing="None") for text in texts]
    rest = _remainder_text(every, most)
    body += [_text_block(rest, isSubtle=True)] if rest else []
    url = digest.url or next((notice.url for notice in digest.notices if notice.url), "")
    actions = [{"type": "Action.OpenUrl", "title": "All changes", "url": url}] if url else []
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": body,
        **({"actions": actions} if actions else {}),
    }
    content_type = "application/vnd.microsoft.card.adaptive"
    return {
        "type": "message",
        "attachments": [{"contentType": content_type, "contentUrl": None, "content": card}],
    }


def _text_block(text: str, **options: Any) -> dict[str, Any]:
    return {"type": "TextBlock", "text": _card_text(_short(text)), "wrap": True, **options}


def _card_text(text: str) -> str:
    """Return text in which nothing is markup or a link. Cards know some Markdown, and no HTML and no entities."""
    return _CARD_MARKUP.sub(
        lambda match: f"\\{match.group()}" if match.group() in "*_" else f"{match.group()}\u200b", text
    )


def _remainder_text(every: tuple[Paragraph, ...], most: int) -> str:
    more = sum(paragraph.count for paragraph in every[most:])
    return f"and {count_noun(more, 'more change')}" if more else ""


def webhook_payload(digest: Digest, *, at: datetime) -> dict[str, Any]:
    """Return the event for a webhook: `type`, `timestamp` and `data`, as Standard Webhooks suggests."""
    return {
        "type": EVENT_TYPE,
        "timestamp": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "data": {
            "api": digest.title,
            "subscription": digest.subscription.name,
            "url": digest.url or None,
            "changes": [_notice_data(notice) for notice in digest.notices],
        },
    }


def _notice_data(notice: Notice) -> Mapping[str, Any]:
    return {
        "id": notice.id,
        "kind": notice.id.partition("/")[0],
        "fingerprint": notice.fingerprint or None,
        "impact": notice.impact,
        "release": notice.release or None,
        "title": notice.title or notice.message,
        "message": notice.message,
        "when": notice.when or None,
        "what_to_do": notice.advice or None,
        "witness": notice.proof or None,
        "affects": list(notice.affects),
        "apis": list(notice.apis),
        "tags": list(notice.tags),
        "url": notice.url or None,
    }
