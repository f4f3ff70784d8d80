/** Runs code that reads files and messages over damaged and hostile inputs. Not published. */
@NullMarked
package io.everheap.support.fuzz;

import org.jspecify.annotations.NullMarked;
