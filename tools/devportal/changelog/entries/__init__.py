"""Changelog entries: files, values, rules, and drafts of new ones."""
