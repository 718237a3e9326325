"""From YAML in `content/` to typed questions: reading, validating, compiling.

Knows files and the question types, nothing of progress and nothing of screens. Submodules are
imported where they are needed: reading a compiled deck must not load YAML or validation.
"""
