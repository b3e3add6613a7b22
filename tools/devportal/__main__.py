"""The command `devportal`, also as `python -m devportal`: Ctrl-C ends it quietly even while it is still imported."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from devportal.cli import main as run_command_line  # noqa: PLC0415 - importing it takes long enough for a Ctrl-C

        run_command_line()
    except KeyboardInterrupt:
        exec("")  # noqa: S102 - Python forgets an interrupted exec(), for which it would end by the signal
        sys.exit(130)


if __name__ == "__main__":
    main()
