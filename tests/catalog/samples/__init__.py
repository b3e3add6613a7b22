"""Where the sample records come from: two tables that people edit, and what makes records and a log of them.

`markets.csv` has a row for each country, with its prices and what it asks of senders; `exceptions.csv` has
the versions that are not simply active. `pytest tests/catalog/test_samples.py --update-golden` writes `data/`
anew. The records that guides and the contract quote are written by hand (`by_hand.py`) and left alone.
"""
