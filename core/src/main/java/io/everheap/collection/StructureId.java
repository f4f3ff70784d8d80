package io.everheap.collection;

import io.everheap.stability.Stable;

/**
 * Which structure of which open heap a handle stands for. Equal for all handles to one structure,
 * and never equal for two structures, also if one took the place of the other.
 *
 * <p>Only the library makes them.
 *
 * @since 0.9
 */
@Stable
public interface StructureId {}
