"""Correct servers of small contracts, with seams at which tests break their promises."""
