"""Tests of `contract/member_rules/`."""
