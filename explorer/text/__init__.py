"""Text in any script: what a letter is, where a word begins and ends, and which spellings are alike."""
