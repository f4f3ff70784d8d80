/** Goals of the Maven plug-in that weaves durable classes. */
@NullMarked
package io.everheap.maven;

import org.jspecify.annotations.NullMarked;
