"""How generated pages become pages of MkDocs, in the frame of its theme."""
