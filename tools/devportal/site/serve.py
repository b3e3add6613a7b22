"""The portal of a project or a contract with live reload, and beside it other commands of ours,
all ended together.
"""

import logging
import os
import signal
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from mkdocs.commands.serve import serve as serve_with_mkdocs
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, BuildError, ConfigurationError

from devportal.errors import EnvironmentProblem, InvalidSettings
from devportal.faults import place_of_project
from devportal.site.beside import Beside
from devportal.site.build import contract_project, refuse_other_encodings, refused


def serve(config_file: Path, *, host: str, port: int, beside: Sequence[str] = ()) -> None:
    """Serve the portal of a project until it is interrupted; `beside` are the commands.

    Raises EnvironmentProblem where the port is taken or a command beside does not start.
    """
    check_port_is_free(host, port)
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    _show_messages()
    others = Beside(host, port)
    with ExitStack() as running:
        running.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, _interrupt))
        for command in beside:
            running.enter_context(others.running(command))
        options: dict[str, Any] = {"dev_addr": f"{host}:{port}"}
        try:
            serve_with_mkdocs(str(config_file), **options)
        except (Abort, BuildError, ConfigurationError) as error:
            raise InvalidSettings(str(error), help="see the messages above") from error
        except UnicodeDecodeError:
            refuse_other_encodings(load_config(str(config_file)))
            raise
        except OSError as error:
            if error.filename and not place_of_project(error):
                raise refused(error, load_config(str(config_file))) from error
            raise EnvironmentProblem(
                f"{host}:{port} cannot be used any more: {error.strerror or error}",
                help="give the portal and each command beside it a port of its own",
            ) from error
        except KeyboardInterrupt:
            if not others.ended:
                raise
    if others.ended:
        raise EnvironmentProblem(
            f"the command beside has ended: devportal {others.ended[0]}",
            help="see its message above; where its port is taken, give it another",
        )


def serve_contract(
    contract: Path,
    *,
    host: str,
    port: int,
    beside: Sequence[str] = (),
    allow_outside_references: bool = False,
    language: str = "",
) -> None:
    """Serve the reference of a contract until it is interrupted, by a project that lives as long.

    Raises what `serve` raises.
    """
    project = contract_project(contract, allow_outside_references=allow_outside_references, language=language)
    with project as config_file:
        serve(config_file, host=host, port=port, beside=beside)


def check_port_is_free(host: str, port: int) -> None:
    """Raise EnvironmentProblem where something listens at the address already."""
    try:
        family, kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise EnvironmentProblem(
            f"{host}:{port} cannot be used: {error.strerror}",
            help="end what listens there, or choose another port with --port, or another address with --host",
        ) from error


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def _show_messages() -> None:
    logger = logging.getLogger("mkdocs")
    logger.setLevel(logging.INFO)
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)-7s %(message)s"))
    logger.addHandler(handler)
