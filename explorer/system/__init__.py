"""What this computer gives: memory, threads, a console, logs, compiled code."""
