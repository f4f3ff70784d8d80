/** Access to the parts behind the facade; for the modules of this project, not for users. */
@NullMarked
package io.everheap.heap;

import org.jspecify.annotations.NullMarked;
