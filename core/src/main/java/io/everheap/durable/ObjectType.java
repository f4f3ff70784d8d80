package io.everheap.durable;

import io.everheap.stability.Stable;

/**
 * A durable type in one open heap. It is public for generated and woven classes, which only pass it
 * on; programs use their own types.
 *
 * @since 0.9
 */
@Stable
public interface ObjectType {}
