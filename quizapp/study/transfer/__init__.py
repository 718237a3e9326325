"""Progress to other machines and programs, and back."""
