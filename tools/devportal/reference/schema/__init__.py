"""Schemas for readers: fields, shapes, values in words, as rows of HTML and Markdown."""
