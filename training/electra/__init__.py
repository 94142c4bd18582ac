"""ELECTRA: a small generator fills blanks, and a discriminator tells which words it put in."""
