"""The packs that are shipped, in the order in which they are listed."""

ASKED = (
    "shared-memory",
    "fundamentals",
    "algorithms",
    "tensor-cores",
    "llm-inference",
    "scale",
    "cpp",
    "frameworks",
)
"""Those that are on by default."""
OPTIONAL = ("banks-in-depth", "older-gpus")
SHIPPED = (*ASKED, *OPTIONAL)
