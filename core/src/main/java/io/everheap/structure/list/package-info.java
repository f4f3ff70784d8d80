/** Lists, and the counted tree under them and under queues. */
@NullMarked
package io.everheap.structure.list;

import org.jspecify.annotations.NullMarked;
