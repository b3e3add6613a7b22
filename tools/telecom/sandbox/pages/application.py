"""The pages of the sandbox as an application, and their assets."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from anyio.to_thread import run_sync
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import Message, Receive, Scope, Send

from devportal.markup.templates import environment
from telecom.problems import ProblemRegistry
from telecom.sandbox.api.admission import caller_of
from telecom.sandbox.api.exchange import RequestRefused
from telecom.sandbox.api.refusals import RETRY_AFTER_S
from telecom.sandbox.database.database import is_busy
from telecom.sandbox.database.storage_failures import storage_failure
from telecom.sandbox.monitoring.routes import HealthChecker
from telecom.sandbox.pages.formatting import (
    as_words,
    escape_invisible,
    format_duration,
    format_time,
    pretty_json,
)
from telecom.sandbox.pages.sessions import SESSION_DURATION, Sessions, is_same_origin, read_form
from telecom.sandbox.pages.views import PageContent, PageRequest, View, Views, first_page
from telecom.sandbox.tokens.tokens import Grant
from telecom.times import format_rfc3339

_PORTAL = files("devportal.site") / "theme" / "assets" / "devportal"
_OWN = files("telecom.sandbox.pages") / "static"


def load_assets() -> dict[str, tuple[str, bytes]]:
    """Return media type and content of each file by its name."""
    css = "text/css; charset=utf-8"
    return {
        "tokens.css": (css, (_PORTAL / "tokens.css").read_bytes()),
        "portal.css": (css, (_PORTAL / "portal.css").read_bytes()),
        "sandbox.css": (css, (_OWN / "sandbox.css").read_bytes()),
        "live.js": ("text/javascript; charset=utf-8", (_OWN / "live.js").read_bytes()),
        "icon.svg": ("image/svg+xml", (_OWN / "icon.svg").read_bytes()),
    }


_LOG = logging.getLogger("telecom.sandbox")
COOKIE = "sandbox_session"
_ROOT = "/_sandbox/"
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxStatus:
    """The description of the sandbox on the home page."""

    title: str
    version: str
    clock: Callable[[], datetime]
    mode: Callable[[], str]


class Pages:
    """Serves the pages below `/_sandbox/`."""

    def __init__(
        self, views: Views, sessions: Sessions, health_checker: HealthChecker, status: SandboxStatus
    ) -> None:
        """Take the views, the sessions, the health checker, and the status for the home page."""
        self._problems = ProblemRegistry.of(views.api)
        self._views = views
        self._sessions = sessions
        self._health_checker = health_checker
        self._status = status
        self._assets = load_assets()
        self._templates = environment("telecom.sandbox.pages")
        self._templates.filters |= {
            "visible": escape_invisible,
            "pretty": pretty_json,
            "moment": format_time,
            "rfc3339": format_rfc3339,
            "duration": format_duration,
            "words": as_words,
        }
        self._routes = self._all_routes()
        self._router = Router(self._routes, redirect_slashes=False)

    def has(self, path: str) -> bool:
        """Return whether a path is that of a page or an asset."""
        return any(route.path_regex.fullmatch(path) for route in self._routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request, with the security headers on every page."""

        has_started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await self._router(scope, receive, send_with_headers)
        except ClientDisconnect:
            raise
        except Exception as error:
            if has_started:
                raise
            await self._error_page(error)(scope, receive, send_with_headers)

    def _all_routes(self) -> list[Route]:
        views = self._views
        account_pages: tuple[tuple[str, View], ...] = (
            ("messages", views.messages),
            ("messages/{resource_id}", views.message),
            ("calls", views.calls),
            ("calls/{resource_id}", views.call),
            ("events", views.events),
            ("events/{resource_id}", views.event),
        )
        return [
            Route("/_sandbox", self._to_root),
            Route(_ROOT, self._home),
            Route(f"{_ROOT}sign-in", self._sign_in, methods=["GET", "POST"]),
            Route(f"{_ROOT}sign-out", self._sign_out, methods=["POST"]),
            Route(f"{_ROOT}assets/{{name}}", self._asset),
            *(Route(f"{_ROOT}{path}", self._account_page(view)) for path, view in account_pages),
        ]

    async def _to_root(self, request: Request) -> Response:
        del request
        return RedirectResponse(_ROOT, HTTPStatus.PERMANENT_REDIRECT)

    async def _home(self, request: Request) -> Response:
        values = {
            "sandbox": self._status,
            "now": await run_sync(self._status.clock),
            "mode": await run_sync(self._status.mode),
            "health": await self._health_checker.health(),
        }
        grant = await self._grant(request)
        return self._page(PageContent(template="home.html.jinja", values=values), grant)

    async def _sign_in(self, request: Request) -> Response:
        if request.method != "POST":
            return self._sign_in_page(request.query_params.get("next", ""), None)
        if not is_same_origin(request):
            return self._error(HTTPStatus.FORBIDDEN, "This form was sent by a page of another site.", None)
        form = await read_form(request)
        if form is None:
            return self._error(HTTPStatus.BAD_REQUEST, "This is not what the form sends.", None)
        token = form.get("token", "").strip().removeprefix("Bearer ").strip()
        next_path = form.get("next", "")
        caller = caller_of(request)
        identifier = await self._sessions.begin(token, caller) if token else None
        if identifier is None:
            problem = "The token is not valid." if token else "Enter a token."
            return self._sign_in_page(next_path, problem)
        grant = await self._sessions.grant(identifier, caller)
        target = next_path if self._is_page(next_path) else first_page(grant) if grant is not None else _ROOT
        response = RedirectResponse(target, HTTPStatus.SEE_OTHER)
        _set_cookie(response, request, identifier, max_age=int(SESSION_DURATION.total_seconds()))
        return response

    async def _sign_out(self, request: Request) -> Response:
        if not is_same_origin(request):
            return self._error(HTTPStatus.FORBIDDEN, "This form was sent by a page of another site.", None)
        if identifier := request.cookies.get(COOKIE):
            await self._sessions.end(identifier)
        response = RedirectResponse(_ROOT, HTTPStatus.SEE_OTHER)
        _set_cookie(response, request, "", max_age=0)
        return response

    async def _asset(self, request: Request) -> Response:
        asset = self._assets.get(request.path_params["name"])
        if asset is None:
            return self._error(HTTPStatus.NOT_FOUND, "There is no such file.", None)
        media_type, content = asset
        return Response(content, media_type=media_type, headers={"Cache-Control": "no-cache"})

    def _account_page(self, view: View) -> Callable[[Request], Any]:
        """Return the endpoint of a page that is only for signed-in users."""

        async def respond(request: Request) -> Response:
            grant = await self._grant(request)
            if grant is None:
                return self._sign_in_page(_path_and_query(request), None)
            page_request = PageRequest(
                grant=grant,
                query=request.query_params.multi_items(),
                resource_id=request.path_params.get("resource_id", ""),
            )
            try:
                return self._page(await run_sync(view, page_request), grant)
            except RequestRefused as refusal:
                problem = self._problems.problem(refusal.kind, refusal.detail)
                return self._error(HTTPStatus(problem.type.status), problem.detail, grant)

        return respond

    async def _grant(self, request: Request) -> Grant | None:
        identifier = request.cookies.get(COOKIE)
        return await self._sessions.grant(identifier, caller_of(request)) if identifier else None

    def _error_page(self, error: Exception) -> Response:
        """Return the page for an unexpected error, which is logged."""
        if storage_failure(error) is not None:  # logged once, by the database
            return self._unavailable("The database of the sandbox cannot be used now.")
        if is_busy(error):
            return self._unavailable("The service is overloaded.")
        _LOG.error("a page failed", exc_info=error)
        detail = "An unexpected error stopped this page. See the log of the sandbox."
        return self._error(HTTPStatus.INTERNAL_SERVER_ERROR, detail, None)

    def _unavailable(self, reason: str) -> Response:
        response = self._error(
            HTTPStatus.SERVICE_UNAVAILABLE, f"{reason} Load the page again in a few seconds.", None
        )
        response.headers["Retry-After"] = str(RETRY_AFTER_S)
        return response

    def _is_page(self, target: str) -> bool:
        """Return whether a target is one of our pages, and no address of another site."""
        try:
            parts = urlsplit(target)
        except ValueError:  # half an IPv6 address
            return False
        is_path = not parts.scheme and not parts.netloc and parts.path.startswith(_ROOT)
        return is_path and "\\" not in target and target.isprintable() and self.has(parts.path)

    def _sign_in_page(self, next_path: str, problem: str | None) -> Response:
        values = {"next": next_path if self._is_page(next_path) else "", "problem": problem}
        status = HTTPStatus.FORBIDDEN if problem else HTTPStatus.OK
        return self._page(PageContent(template="sign_in.html.jinja", values=values), None, status)

    def _error(self, status: HTTPStatus, detail: str, grant: Grant | None) -> Response:
        values = {"status": status, "detail": detail}
        return self._page(PageContent(template="error.html.jinja", values=values), grant, status)

    def _page(
        self, content: PageContent, grant: Grant | None, status: HTTPStatus = HTTPStatus.OK
    ) -> Response:
        common: Mapping[str, Any] = {"is_live": False, "title_of_api": self._status.title}
        html = self._templates.get_template(content.template).render(
            {**common, **content.values, "grant": grant}
        )
        return Response(
            html.encode("utf-8", "replace"),
            status_code=status,
            media_type="text/html; charset=utf-8",
            headers={"Vary": "Cookie"},
        )


def _set_cookie(response: Response, request: Request, value: str, *, max_age: int) -> None:
    # Anybody may claim https: the only effect is a cookie that is kept more strictly.
    schemes = {request.url.scheme, request.headers.get("x-forwarded-proto", "")}
    response.set_cookie(
        COOKIE,
        value,
        max_age=max_age,
        path=_ROOT,
        secure="https" in schemes,
        httponly=True,
        samesite="strict",
    )


def _path_and_query(request: Request) -> str:
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path
