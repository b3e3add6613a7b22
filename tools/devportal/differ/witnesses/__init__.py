"""Witnesses: messages that show why a change breaks, searched for, validated on both sides and made small."""
