@echo off
rem The everheap command; without a Java in its archive it needs a Java 25 or newer at JAVA_HOME or on
rem the PATH.
setlocal
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
if exist "%~dp0..\runtime\bin\java.exe" set "java=%~dp0..\runtime\bin\java.exe"
"%java%" %EVERHEAP_JAVA_OPTS% -cp "%~dp0..\lib\*" io.everheap.cli.Main %*
exit /b %ERRORLEVEL%
