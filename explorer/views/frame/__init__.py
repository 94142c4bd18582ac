"""What stands around every page: its frame, settings, saving, presenter mode, theme, models in memory."""
