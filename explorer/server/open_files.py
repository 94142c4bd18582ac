"""The limit of open files and connections: each visitor takes about three."""

WANTED = 4096
A_VISITOR = 3
FEW_VISITORS = 300  # below this, a message says so


def raise_limit() -> str:
    """Raise the soft limit to `WANTED`, or as far as this computer allows; a message if that is little.

    macOS gives a program 256: the 81st visitor would be the last.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return ""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    current = soft
    for limit in (WANTED, WANTED // 2, WANTED // 4):
        possible = limit if hard == endless else min(limit, hard)
        if current == endless or current >= possible:
            break
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (possible, hard))
            current = possible
        except (ValueError, OSError):  # the system's own limit is lower than the one it reports
            continue
    if current == endless or current >= A_VISITOR * FEW_VISITORS:
        return ""
    return (
        f"This computer lets a program have {current} files open: Riverbank takes about "
        f"{current // A_VISITOR} visitors at once. “ulimit -n {WANTED}” before the start allows more."
    )
