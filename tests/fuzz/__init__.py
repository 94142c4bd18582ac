"""Every reader of files on damaged and invented ones: an ExplorerError or a working result, and no memory."""
