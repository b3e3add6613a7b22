# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""Right servers of `parcels.yaml` that do what servers may, and what a check could take for a fault."""

import secrets

from starlette.requests import Request
from starlette.responses import Response

from tests.apps.other_parcels import CONTENT_LENGTH_LIMIT, Handler
from tests.apps.parcels import Parcels


class SessionCookie(Parcels):
    """Opens a session for whoever shows the token, and takes its cookie as well as the token."""

    def __init__(self) -> None:
        super().__init__()
        self.session = secrets.token_hex(16)

    def authenticate(self, request: Request) -> None:
        if request.cookies.get("session") != self.session:
            super().authenticate(request)
            request.state.opened = True

    async def answer(self, request: Request) -> Response:
        response = await super().answer(request)
        if getattr(request.state, "opened", False):
            response.set_cookie("session", self.session, httponly=True)
        return response


class KnowsTwoMethods(Handler):
    """Answers 501 to every method but GET and POST, as `http.server` does."""

    def dispatch(self) -> None:
        if self.command in ("GET", "POST"):
            super().dispatch()
            return
        self.rfile.read(min(int(self.headers.get("Content-Length") or 0), CONTENT_LENGTH_LIMIT))
        self.send_error(501)


class LooseFields(Handler):
    """Writes space around the values of fields, and each method of `Allow` on a line of its own."""

    def send_header(self, keyword: str, value: str) -> None:
        for text in value.split(", ") if keyword == "Allow" else [value]:
            super().send_header(keyword, f" {text}\t ")

    def accepts_method(self, method: str) -> bool:
        methods = ("HEAD", "GET") if method == "GET" else (method,)
        if self.command in methods:
            return True
        self.refuse(405, "this method is not for this address", Allow=", ".join(methods))
        return False


class UnusualButRight(KnowsTwoMethods, LooseFields):
    """Has the habits that do not hide each other."""
