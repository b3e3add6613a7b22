"""Runs `devportal notify`: reads, selects, sends one message after another, and remembers each at once."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import click

from devportal.documents import read_document
from devportal.errors import EnvironmentProblem, InvalidSettings, PortalError
from devportal.integrators.changes_file import Changes, read_changes
from devportal.integrators.uses import Uses, read_uses
from devportal.notifications.delivery import (
    FailedDelivery,
    Post,
    post,
    read_account,
    read_address,
    read_secret,
    send_email,
    webhook_headers,
)
from devportal.notifications.digest import (
    Digest,
    slack_payload,
    split_notices,
    teams_payload,
    to_email,
    webhook_payload,
)
from devportal.notifications.notices import (
    Notice,
    Subscriber,
    baseline_release,
    read_prices,
    select_notices,
)
from devportal.notifications.settings import Channel, NotifySettings, Subscription, read_settings
from devportal.notifications.state import read_state, write_state
from devportal.reporting.output import print_text
from devportal.reporting.printable import count_noun, printable_line


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifyOptions:
    """The options of `devportal notify`."""

    changes: str
    settings: Path
    state: Path
    outbox: Path
    is_dry_run: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inputs:
    """What was read. `prices` is None if they are asked for and the portal has none."""

    settings: NotifySettings
    changes: Changes
    prices: tuple[Notice, ...] | None
    uses: Mapping[str, Uses]


_Send = Callable[[Digest], str]
"""Sends a message, and returns what was done. Raises FailedDelivery."""


def run_notify(options: NotifyOptions, *, environment: Mapping[str, str], at: datetime) -> int:
    """Send what is new to each subscriber; return the exit code. Raises PortalError."""
    settings = _read_settings(options.settings)
    if settings is None:
        return 2
    inputs = _read_inputs(options, settings)
    if inputs is None:
        return 2
    senders = {one.name: _sender(one, options, settings, environment, at) for one in settings.subscriptions}
    subscribers = read_state(options.state)
    is_complete = inputs.prices is not None
    for subscription in settings.subscriptions:
        try:
            _serve(subscription, inputs, subscribers, options, senders[subscription.name])
        except FailedDelivery as error:
            click.echo(f"error: {subscription.name}: {error}", err=True)
            is_complete = False
    return 0 if is_complete else 1


def _read_settings(path: Path) -> NotifySettings | None:
    settings, findings = read_settings(read_document(path))
    for finding in findings:
        click.echo(str(finding), err=True)
    return None if findings else settings


def _read_inputs(options: NotifyOptions, settings: NotifySettings) -> _Inputs | None:
    """Return the inputs, None after printing what is wrong in a file of uses."""
    changes = read_changes(options.changes)
    if not changes.versions:
        raise InvalidSettings(
            f"{changes.name} has no releases", help="run it for a portal whose API has releases"
        )
    uses: dict[str, Uses] = {}
    for one in settings.subscriptions:
        if one.uses:
            found, findings = read_uses(read_document(options.settings.parent / one.uses))
            for finding in findings:
                click.echo(str(finding), err=True)
            if findings:
                return None
            uses[one.name] = found
    prices: tuple[Notice, ...] | None = ()
    if any(one.prices is not None for one in settings.subscriptions):
        try:
            prices = read_prices(options.changes)
        except PortalError as error:
            click.echo(f"error: {error}", err=True)
            prices = None
    return _Inputs(settings=settings, changes=changes, prices=prices, uses=uses)


def _serve(
    subscription: Subscription,
    inputs: _Inputs,
    subscribers: dict[str, Subscriber],
    options: NotifyOptions,
    send: _Send,
) -> None:
    """Send one subscriber what is new, in messages of a bounded size. Raises FailedDelivery or InvalidSettings."""
    if subscription.prices is not None and inputs.prices is None:
        raise FailedDelivery("nothing was sent, as the changes of prices cannot be read")
    subscriber = _subscriber_state(subscription, subscribers.get(subscription.name), inputs)
    uses = inputs.uses.get(subscription.name)
    notices = select_notices(subscription, subscriber, inputs.changes, inputs.prices or (), uses)
    for part in split_notices(notices):
        digest = Digest(
            title=printable_line(inputs.changes.title),
            url=_changelog_url(inputs.changes),
            notices=part,
            subscription=subscription,
        )
        print_text(f"{subscription.name}: {send(digest)}: {digest.headline}\n")
        subscriber = replace(subscriber, delivered=(*subscriber.delivered, *(one.id for one in part)))
        _remember(subscription, subscriber, subscribers, options)
    if not notices:
        print_text(f"{subscription.name}: nothing new\n")
        _remember(subscription, subscriber, subscribers, options)


def _subscriber_state(subscription: Subscription, known: Subscriber | None, inputs: _Inputs) -> Subscriber:
    """Return what is remembered of a subscription; a new one gets no earlier releases and prices."""
    versions = inputs.changes.versions
    first = baseline_release(inputs.changes, subscription)
    if known is None:
        return _with_known_prices(subscription, Subscriber(since=first), inputs)
    if known.since and known.since not in versions:
        raise InvalidSettings(
            f"{subscription.name}: {inputs.changes.name} has no release {known.since!r}, after which it gets changes",
            help="check that --state belongs to this API",
        )
    later = subscription.since or known.since
    is_raised = later and (not known.since or versions.index(later) > versions.index(known.since))
    return _with_known_prices(subscription, replace(known, since=later) if is_raised else known, inputs)


def _with_known_prices(subscription: Subscription, subscriber: Subscriber, inputs: _Inputs) -> Subscriber:
    """Return a subscriber who does not get the prices that there were when it first asked for prices."""
    if subscription.prices is None or subscriber.has_prices:
        return subscriber
    known = (one.id for one in inputs.prices or ())
    return replace(subscriber, delivered=(*subscriber.delivered, *known), has_prices=True)


def _remember(
    subscription: Subscription,
    subscriber: Subscriber,
    subscribers: dict[str, Subscriber],
    options: NotifyOptions,
) -> None:
    if not options.is_dry_run and subscribers.get(subscription.name) != subscriber:
        subscribers[subscription.name] = subscriber
        write_state(options.state, subscribers)


def _changelog_url(changes: Changes) -> str:
    is_known = changes.site.startswith(("https://", "http://"))
    return printable_line(urljoin(changes.site, "changelog/")) if is_known else ""


def _sender(
    subscription: Subscription,
    options: NotifyOptions,
    settings: NotifySettings,
    environment: Mapping[str, str],
    at: datetime,
) -> _Send:
    """Return what sends to a subscriber. Raises InvalidSettings if a secret is missing, before anything is sent."""
    if options.is_dry_run:
        return lambda digest: _write_message(digest, options.outbox, at)
    match subscription.channel:
        case Channel.EMAIL:
            return _email_sender(subscription, options, settings, environment, at)
        case Channel.WEBHOOK:
            address = read_address(subscription.url_env, environment)
            key = read_secret(subscription.secret_env, environment)
            return lambda digest: _send_webhook(digest, address, key, at)
    address = read_address(subscription.url_env, environment)
    return lambda digest: _send_post(digest, address, _body(_payload(digest, at)), {})


def _email_sender(
    subscription: Subscription,
    options: NotifyOptions,
    settings: NotifySettings,
    environment: Mapping[str, str],
    at: datetime,
) -> _Send:
    server = settings.smtp
    if server is None:
        return lambda digest: _write_message(digest, options.outbox, at)
    account = read_account(server, environment)

    def send(digest: Digest) -> str:
        refused = send_email(to_email(digest, at=at), subscription.recipients, server, account)
        if refused:
            named = count_noun(len(refused), "recipient")
            click.echo(f"warning: {subscription.name}: the mail server refused {named}", err=True)
        return "sent by email"

    return send


def _send_webhook(digest: Digest, address: str, key: bytes, at: datetime) -> str:
    body = _body(_payload(digest, at))
    return _send_post(digest, address, body, webhook_headers(key, body, id=digest.id, at=at))


def _send_post(digest: Digest, address: str, body: bytes, headers: Mapping[str, str]) -> str:
    subscription = digest.subscription
    post(address, Post(body=body, headers=headers), receiver=f"the address in {subscription.url_env}")
    return f"sent to {subscription.channel}"


def _payload(digest: Digest, at: datetime) -> dict[str, Any]:
    match digest.subscription.channel:
        case Channel.SLACK:
            return slack_payload(digest)
        case Channel.TEAMS:
            return teams_payload(digest)
    return webhook_payload(digest, at=at)


def _body(payload: Mapping[str, Any]) -> bytes:
    return json.dumps(payload, separators=(",", ":")).encode()


def _write_message(digest: Digest, folder: Path, at: datetime) -> str:
    """Write a message into a folder. Raises EnvironmentProblem."""
    if digest.subscription.channel is Channel.EMAIL:
        content, suffix = to_email(digest, at=at).as_bytes(), "eml"
    else:
        content, suffix = json.dumps(_payload(digest, at), indent=2).encode() + b"\n", "json"
    path = folder / f"{digest.subscription.name}-{digest.id.removeprefix('msg_')[:12]}.{suffix}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise EnvironmentProblem(
            f"{path} cannot be written: {error.strerror or error}",
            help="check the folder and its permissions",
        ) from error
    return f"written to {path}"
