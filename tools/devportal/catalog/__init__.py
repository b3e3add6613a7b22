"""Rate and coverage records: lifecycle, approval, audit, the publication gate, public pages and files."""
