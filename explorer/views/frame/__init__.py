"""What every page has around it: its frame, settings, saving, presenter mode, theme, models in memory."""
