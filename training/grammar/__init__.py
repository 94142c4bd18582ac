"""The sentences with their trees on which heads are measured, written by a small grammar of ours."""
