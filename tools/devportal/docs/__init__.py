"""The documentation as a command, for developers and agents: questions to a built site, answered from its files.

`site_source` reads files of a folder or of a published site, `records` its `docs.json`, `search_index` its search
index. `search`, `operations`, `pages` and `changes` are the questions, `output` writes the results, and `command`
is the command line.
"""
