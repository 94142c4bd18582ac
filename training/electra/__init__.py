"""ELECTRA: a small generator fills blanks, and a discriminator finds the replaced words."""
