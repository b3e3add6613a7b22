"""A browser in this process that keeps cookies, and signs in with a token."""

import asyncio
from typing import Any

import httpx
from starlette.types import ASGIApp

SIGN_IN, SIGN_OUT = "/_sandbox/sign-in", "/_sandbox/sign-out"


class Visitor:
    """Somebody who looks at pages; `cookies` are what the browser has."""

    def __init__(self, app: ASGIApp, *, base_url: str = "http://sandbox") -> None:
        """Take the application."""
        self._app = app
        self._base_url = base_url
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        """Send a request with the cookies, and keep those of the answer."""

        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(self._app, client=("127.0.0.1", 5000))
            async with httpx.AsyncClient(
                transport=transport, base_url=self._base_url, cookies=self.cookies
            ) as client:
                return await client.request(method, path, **arguments)

        answer = asyncio.run(send())
        self.cookies |= dict(answer.cookies)
        return answer

    def see(self, path: str) -> str:
        """Return the HTML of a page, which must be there."""
        answer = self.ask("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def sign_in(self, token: str, *, wanted: str = "", **headers: str) -> httpx.Response:
        """Send the form."""
        return self.ask("POST", SIGN_IN, data={"token": token, "next": wanted}, headers=headers)


def visitor(app: ASGIApp, token: str) -> Visitor:
    """Return somebody who has signed in."""
    made = Visitor(app)
    assert made.sign_in(token).status_code == 303
    return made
