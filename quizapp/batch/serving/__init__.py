"""Grades for other programs, over a Unix socket: one line of JSON each way; docs/serve.md has it.

`protocol` has the lines, `listening` the socket, `client` one connection, `server` all of them
with the processes that grade. Nothing here grows with the number of requests.
"""
