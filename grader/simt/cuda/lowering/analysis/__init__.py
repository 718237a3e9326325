"""What the text of a function, or a list of values, tells before it is lowered."""
