"""The command `devportal`, also as `python -m devportal`: Ctrl-C ends it quietly even while it is still imported."""

import sys

from devportal.interruptions import interrupted_exit_code, raise_at_termination


def main() -> None:
    """Run the command line."""
    raise_at_termination()
    try:
        from devportal.cli import main as run_command_line  # noqa: PLC0415 - importing it takes long enough for a Ctrl-C

        run_command_line()
    except KeyboardInterrupt as error:
        exec("")  # noqa: S102 - Python forgets an interrupted exec(), for which it would end by the signal
        sys.exit(interrupted_exit_code(error))


if __name__ == "__main__":
    main()
