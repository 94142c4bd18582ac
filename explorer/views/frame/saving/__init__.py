"""Pictures, tables and sessions as files, and the student's notebook."""
