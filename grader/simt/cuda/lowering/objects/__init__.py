"""Structs as objects: bases, members that are references, stored lambdas, and destructors."""
