/**
 * The exceptions of Everheap, each with a stable code and a message that names what was affected.
 */
@NullMarked
package io.everheap.error;

import org.jspecify.annotations.NullMarked;
