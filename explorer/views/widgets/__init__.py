"""What several pages draw with: text box, token strip, bars, steps, marks, and how components are made."""
