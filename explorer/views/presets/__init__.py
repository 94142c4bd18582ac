"""What each page opens with, and its three presets: data only, so that tests can check their points."""
