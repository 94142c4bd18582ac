@echo off
rem Starts Riverbank as install.cmd has installed it; start.cmd --share lets other computers in.
pushd "%~dp0riverbank" || goto failed
.venv\Scripts\python -m explorer.commands.cli %* || goto failed
exit /b
:failed
pause
exit /b 1
