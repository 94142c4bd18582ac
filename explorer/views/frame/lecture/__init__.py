"""Lectures: read, followed stop by stop, changed and saved."""
