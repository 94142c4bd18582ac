"""Probes that ship, and their figures."""
