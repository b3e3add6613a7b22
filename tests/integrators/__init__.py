"""Tests of what programs of integrators use, and of the changes that touch it."""
