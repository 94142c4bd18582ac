"""The training loop: schedule, batches, optimisers, saved states."""
