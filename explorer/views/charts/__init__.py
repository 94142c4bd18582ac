"""What pictures are made of: results in, figures and plain data out; nothing here imports Streamlit."""
