"""A launch from outside: its code, its arguments, the limits of a device, and its report."""
