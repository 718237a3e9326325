"""What each instruction of PTX is in the typed program."""
