"""What the application can do: deck, store, scheduler and clock together, for every interface.

The terminal application, the plain mode and the commands call this package and nothing below it.
"""
