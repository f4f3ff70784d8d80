/** Rules of the architecture that every module's classes are tested against. */
@NullMarked
package io.everheap.support.architecture;

import org.jspecify.annotations.NullMarked;
