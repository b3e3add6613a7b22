"""Runs `devportal notify`: reads, selects, sends one message after another, and remembers each at once."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import click

from devportal.command_line import print_findings
from devportal.documents import read_document
from devportal.errors import EnvironmentProblem, InvalidSettings, PortalError
from devportal.integrators.changes_file import Changes, read_changes
from devportal.integrators.uses import Uses, read_uses
from devportal.notifications.delivery import (
    NOBODY_REFUSED,
    FailedDelivery,
    Post,
    Refused,
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


_Send = Callable[[Digest], tuple[str, Refused]]
"""Sends a message to the recipients of its subscription, and returns what was done, and who was refused. Raises
FailedDelivery.
"""


def run_notify(options: NotifyOptions, *, environment: Mapping[str, str], at: datetime) -> int:
    """Send what is new to each subscriber; return the exit code. Raises PortalError."""
    settings = _read_settings(options.settings)
    if settings is None:
        return 2
    inputs = _read_inputs(options, settings)
    if inputs is None:
        return 2
    _warn_of_unknown_apis(settings, inputs.changes)
    senders = {
        subscription.name: _sender(subscription, options, settings, environment, at)
        for subscription in settings.subscriptions
    }
    subscribers = read_state(options.state)
    is_complete = inputs.prices is not None
    for subscription in settings.subscriptions:
        try:
            _serve(subscription, inputs, subscribers, options, senders[subscription.name])
        except FailedDelivery as error:
            click.echo(f"error: {subscription.name}: {error}", err=True)
            is_complete = False
    return 0 if is_complete else 1


_NO_SETTINGS_HELP = "list the subscriptions in it, or name another file with --settings"


def _read_settings(path: Path) -> NotifySettings | None:
    settings, findings = read_settings(read_document(path, missing_help=_NO_SETTINGS_HELP))
    print_findings(findings)
    return None if findings else settings


def _read_inputs(options: NotifyOptions, settings: NotifySettings) -> _Inputs | None:
    """Return the inputs, None after printing what is wrong in a file of uses."""
    changes = read_changes(options.changes)
    if not changes.versions:
        raise InvalidSettings(
            f"{changes.name} has no releases", help="run it for a portal whose API has releases"
        )
    uses: dict[str, Uses] = {}
    for subscription in settings.subscriptions:
        if subscription.uses:
            found, findings = read_uses(read_document(options.settings.parent / subscription.uses))
            print_findings(findings)
            if findings:
                return None
            uses[subscription.name] = found
    prices: tuple[Notice, ...] | None = ()
    if any(subscription.prices is not None for subscription in settings.subscriptions):
        try:
            prices = read_prices(options.changes)
        except PortalError as error:
            click.echo(f"error: {error}", err=True)
            prices = None
    return _Inputs(settings=settings, changes=changes, prices=prices, uses=uses)


def _warn_of_unknown_apis(settings: NotifySettings, changes: Changes) -> None:
    """Print which subscriptions are for an API that no change has: a misspelt name lets nothing through, ever."""
    known = sorted({api for entry in changes.entries.values() for api in entry["apis"]})
    for subscription in settings.subscriptions:
        for api in subscription.apis or ():
            if known and api not in known:
                click.echo(
                    f"warning: {subscription.name}: no change is of the API {printable_line(repr(api))}; "
                    f"changes are of {', '.join(printable_line(repr(name)) for name in known)}",
                    err=True,
                )


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
    parts = [*_missed_parts(subscription, subscriber, inputs), *_new_parts(subscription, subscriber, inputs)]
    if not parts:
        print_text(f"{subscription.name}: nothing new\n")
        _remember(subscription, subscriber, subscribers, options)
    for recipients, notices in parts:
        digest = Digest(
            title=printable_line(inputs.changes.title),
            url=_changelog_url(inputs.changes),
            notices=notices,
            subscription=replace(subscription, recipients=recipients),
        )
        done, refused = send(digest)
        if recipients and recipients == subscription.recipients and set(refused.all) == set(recipients):
            raise FailedDelivery(f"the mail server refused {_recipients(refused.all)}")
        if refused.for_good:
            named = _recipients(refused.for_good)
            click.echo(f"warning: {subscription.name}: the mail server refused {named}", err=True)
        if set(refused.all) != set(recipients) or not recipients:
            print_text(f"{subscription.name}: {done}: {digest.headline}\n")
        subscriber = _with_delivered(subscriber, recipients, notices, refused)
        _remember(subscription, subscriber, subscribers, options)
    if subscriber.missed:
        named = _recipients(tuple(subscriber.missed))
        raise FailedDelivery(f"the mail server refused {named} for now; the next run sends it to them again")


_Part = tuple[tuple[str, ...], tuple[Notice, ...]]
"""The changes of one message, and to whom it goes; to nobody if its channel has no recipients."""


def _missed_parts(subscription: Subscription, subscriber: Subscriber, inputs: _Inputs) -> Iterator[_Part]:
    """Yield what recipients did not get whom the mail server refused when the others got it."""
    for recipient, missed in subscriber.missed.items():
        delivered = tuple(text for text in subscriber.delivered if text not in missed)
        notices = _select(subscription, replace(subscriber, delivered=delivered), inputs)
        again = tuple(notice for notice in notices if notice.id in missed)
        yield from (((recipient,), part) for part in split_notices(again))


def _new_parts(subscription: Subscription, subscriber: Subscriber, inputs: _Inputs) -> Iterator[_Part]:
    notices = _select(subscription, subscriber, inputs)
    yield from ((subscription.recipients, part) for part in split_notices(notices))


def _select(subscription: Subscription, subscriber: Subscriber, inputs: _Inputs) -> tuple[Notice, ...]:
    uses = inputs.uses.get(subscription.name)
    return select_notices(subscription, subscriber, inputs.changes, inputs.prices or (), uses)


def _with_delivered(
    subscriber: Subscriber, recipients: tuple[str, ...], notices: tuple[Notice, ...], refused: Refused
) -> Subscriber:
    """Return what is remembered after a message: who got it, and who gets it again."""
    ids = tuple(notice.id for notice in notices)
    missed = {
        name: tuple(text for text in known if text not in ids)
        for name, known in subscriber.missed.items()
        if name in recipients
    }
    missed = {**subscriber.missed, **missed}
    for recipient in refused.for_now:
        missed[recipient] = (*missed.get(recipient, ()), *ids)
    delivered = (*subscriber.delivered, *(id_ for id_ in ids if id_ not in subscriber.delivered))
    return replace(
        subscriber, delivered=delivered, missed={name: known for name, known in missed.items() if known}
    )


def _recipients(refused: tuple[str, ...]) -> str:
    return count_noun(len(refused), "recipient")


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
    missed = {name: ids for name, ids in known.missed.items() if name in subscription.recipients}
    known = replace(known, missed=missed)
    return _with_known_prices(subscription, replace(known, since=later) if is_raised else known, inputs)


def _with_known_prices(subscription: Subscription, subscriber: Subscriber, inputs: _Inputs) -> Subscriber:
    """Return a subscriber who does not get the prices that there were when it first asked for prices."""
    if subscription.prices is None or subscriber.has_prices:
        return subscriber
    known = (price.id for price in inputs.prices or ())
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
        return lambda digest: (_write_message(digest, options.outbox, at), NOBODY_REFUSED)
    match subscription.channel:
        case Channel.EMAIL:
            return _email_sender(options, settings, environment, at)
        case Channel.WEBHOOK:
            address = read_address(subscription.url_env, environment)
            key = read_secret(subscription.secret_env, environment)
            return lambda digest: _send_webhook(digest, address, key, at)
    address = read_address(subscription.url_env, environment)
    return lambda digest: _send_post(digest, address, _body(_payload(digest, at)), {})


def _email_sender(
    options: NotifyOptions,
    settings: NotifySettings,
    environment: Mapping[str, str],
    at: datetime,
) -> _Send:
    server = settings.smtp
    if server is None:
        return lambda digest: (_write_message(digest, options.outbox, at), NOBODY_REFUSED)
    account = read_account(server, environment)

    def send(digest: Digest) -> tuple[str, Refused]:
        recipients = digest.subscription.recipients
        return "sent by email", send_email(to_email(digest, at=at), recipients, server, account)

    return send


def _send_webhook(digest: Digest, address: str, key: bytes, at: datetime) -> tuple[str, Refused]:
    body = _body(_payload(digest, at))
    return _send_post(digest, address, body, webhook_headers(key, body, id=digest.id, at=at))


def _send_post(digest: Digest, address: str, body: bytes, headers: Mapping[str, str]) -> tuple[str, Refused]:
    subscription = digest.subscription
    post(address, Post(body=body, headers=headers), receiver=f"the address in {subscription.url_env}")
    return f"sent to {subscription.channel}", NOBODY_REFUSED


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
