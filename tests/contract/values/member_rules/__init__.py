"""Tests of `contract/values/member_rules/`."""
