"""Packs from elsewhere: read, agreed to, installed, and written."""
