"""Connections: sockets, HTTP/1.1, TLS, certificates, and the addresses of clients."""
