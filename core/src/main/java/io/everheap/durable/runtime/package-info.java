/**
 * What generated and woven classes call and extend. Programs do not use it: the library generates
 * implementations of durable interfaces, and the weaver rewrites durable classes.
 */
@NullMarked
package io.everheap.durable.runtime;

import org.jspecify.annotations.NullMarked;
