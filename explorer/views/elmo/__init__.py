"""From both sides: what each of ELMo's two readers expects at a place."""
