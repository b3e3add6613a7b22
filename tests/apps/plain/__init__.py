"""Plain servers, each as somebody writes one in an afternoon, and each right. They share words with the API
of this repository, and mean something else by them.
"""
