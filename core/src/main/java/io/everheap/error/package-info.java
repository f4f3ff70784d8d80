/** The exceptions of Everheap. Each has a stable code and a message that names what it concerns. */
@NullMarked
package io.everheap.error;

import org.jspecify.annotations.NullMarked;
