"""Tests of the built site."""  # noqa: A005 - mirrors tools/devportal/site
