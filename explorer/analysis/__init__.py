"""Traces to small, frozen results that never draw themselves; one idea per file."""
