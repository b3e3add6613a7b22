# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""A mock of `parcels.yaml`: it keeps every promise but those about state, since it keeps nothing."""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.apps.parcels import Parcels, Refusal

KEY = re.compile("pcl_[a-z0-9]{1,32}")


class Mock(Parcels):
    """Answers with the examples of the contract, whatever is sent."""

    def created_response(self, parcel: dict[str, Any]) -> Response:
        return self.json(self.parcel("pcl_example", "GB", 420), 201)

    async def read(self, request: Request) -> Response:
        self.authenticate(request)
        if not KEY.fullmatch(request.url.path.removeprefix("/v1/parcels/")):
            raise Refusal(404, "no-parcel", "There is no such parcel.")
        return self.json(self.parcel("pcl_example", "GB", 420), 200)
