"""What this computer gives: memory, a console, logs, compiled code."""
