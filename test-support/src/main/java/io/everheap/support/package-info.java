/** What the tests of several modules share. Not published. */
@NullMarked
package io.everheap.support;

import org.jspecify.annotations.NullMarked;
