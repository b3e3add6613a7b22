"""The portal as a MkDocs site: the plugin, the theme, search, the builder."""
