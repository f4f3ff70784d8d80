/** What is checked about files before they are opened. */
@NullMarked
package io.everheap.files;

import org.jspecify.annotations.NullMarked;
