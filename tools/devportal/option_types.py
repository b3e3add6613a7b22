"""Numbers as options take them: click's ranges, called what people call them in help and messages."""

import click


class WholeNumber(click.IntRange):
    """An integer within bounds."""

    name = "integer"


class Number(click.FloatRange):
    """A number within bounds."""

    name = "number"
