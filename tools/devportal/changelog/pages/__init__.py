"""The changelog for the site: lists, entries, releases, comparisons, feeds."""
