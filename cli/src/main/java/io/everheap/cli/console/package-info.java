/** The console: a local web page that shows a heap and never writes to it. */
@NullMarked
package io.everheap.cli.console;

import org.jspecify.annotations.NullMarked;
