@echo off
rem The everheap command; needs a Java 25 or newer at JAVA_HOME or on the PATH.
setlocal
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
"%java%" %EVERHEAP_JAVA_OPTS% -cp "%~dp0..\lib\*" io.everheap.cli.Main %*
exit /b %ERRORLEVEL%
