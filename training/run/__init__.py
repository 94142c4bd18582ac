"""The loop that every model is trained by: schedule, batches, optimisers, saved states."""
