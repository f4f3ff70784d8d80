/** Stored types of objects, their versions and layouts, independent of the program's classes. */
@NullMarked
package io.everheap.durable.type;

import org.jspecify.annotations.NullMarked;
