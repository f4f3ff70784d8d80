/** Stored types of objects and their layout, known without the classes of the program. */
@NullMarked
package io.everheap.object.type;

import org.jspecify.annotations.NullMarked;
