"""Makes the outlines of the map from a TopoJSON file of Natural Earth. Run by hand; no build needs it.

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python -m devportal.catalog.world.making package/countries-50m.json

The file is read as borders that neighbours share, so that they still fit when they are simplified.
"""
