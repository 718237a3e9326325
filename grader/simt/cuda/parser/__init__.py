"""The parser of CUDA C++: from a text to tokens without directives and macros, to a tree."""
