/** Objects: fields, references and objects in maps, next to floors and to plain Java objects. */
@NullMarked
package io.everheap.benchmarks.objects;

import org.jspecify.annotations.NullMarked;
