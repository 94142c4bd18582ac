"""The page Fine-tuning: task heads that are trained on the page, and what fine-tuning brings."""
