"""What the toolkit says of itself on pages: inserts made of its commands, settings, schemas and rules.

It stands above everything that it describes, so nothing imports it: pages reach it by the entry points
`devportal.inserts`, when they ask. Its Markdown needs the extensions `attr_list` and `def_list`.
"""
