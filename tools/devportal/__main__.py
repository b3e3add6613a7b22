"""`python -m devportal` is the command `devportal`."""

from devportal.cli import main

if __name__ == "__main__":
    main()
