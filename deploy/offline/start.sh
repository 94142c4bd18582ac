#!/bin/sh
# Starts Riverbank as install.sh has installed it; `sh start.sh --share` lets other computers in.
cd "$(dirname "$0")/riverbank"
exec .venv/bin/python -m explorer.commands.cli "$@"
