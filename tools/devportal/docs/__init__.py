"""The documentation for developers and agents: questions to a built site, answered from its files.

`site_source` reads files of a folder or of a published site, `records` its `docs.json`, `search_index` its search
index. `search`, `operations`, `schemas`, `pages`, `changes` and `request_check` are the questions, and `queries` puts
them to a site. `output` and `contract_output` write the results. `command` is the command line; `mcp_server` and
`mcp_tools` are the same for agents.
"""
