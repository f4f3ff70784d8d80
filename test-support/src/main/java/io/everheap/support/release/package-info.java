/** Files that a release keeps so that later builds can prove that they read them. */
@NullMarked
package io.everheap.support.release;

import org.jspecify.annotations.NullMarked;
