"""A page's settings: declared, kept in the session and in the link, and undone."""
