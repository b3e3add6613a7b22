"""Brings the toolkit's own template and catalogues up to date: `python -m devportal.translation`, in a clone."""

from devportal.translation.catalogues import FOLDER, TEMPLATE, read_catalogue
from devportal.translation.extraction import catalogue_text, template_text, updated_catalogue

if __name__ == "__main__":
    TEMPLATE.write_bytes(template_text())
    for path in sorted(FOLDER.glob("*.po")):
        catalogue = updated_catalogue(read_catalogue(path), path.stem)
        catalogue.obsolete.clear()
        path.write_bytes(catalogue_text(catalogue))
