"""How many files and connections the server may have open: each visitor takes about three."""

WANTED = 4096
A_VISITOR = 3
FEW_VISITORS = 300  # for fewer than these it is worth a word


def raise_limit() -> str:
    """Raise the soft limit to what is wanted, or as near as this computer lets us; say so where it is few.

    macOS gives a program 256: the 81st visitor would be the last.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return ""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    reached = soft
    for wanted in (WANTED, WANTED // 2, WANTED // 4):
        possible = wanted if hard == endless else min(wanted, hard)
        if reached == endless or reached >= possible:
            break
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (possible, hard))
            reached = possible
        except (ValueError, OSError):  # the system's own limit is lower than the one it tells
            continue
    if reached == endless or reached >= A_VISITOR * FEW_VISITORS:
        return ""
    return (
        f"This computer lets a program have {reached} files open: Riverbank takes about "
        f"{reached // A_VISITOR} visitors at once. “ulimit -n {WANTED}” before the start allows more."
    )
