package io.everheap.engine;

import io.everheap.engine.home.PageState;
import org.jspecify.annotations.Nullable;

/**
 * What an opening found, before it changes anything.
 *
 * @param location of the heap
 * @param history its {@linkplain io.everheap.engine.home.Superblock#history history}
 * @param end LSN of the end of its log
 * @param checkpoint LSN of the last checkpoint
 * @param pages their state as of that checkpoint; null if it has no digest
 */
public record FoundHeap(
    String location, String history, long end, long checkpoint, @Nullable PageState pages) {}
