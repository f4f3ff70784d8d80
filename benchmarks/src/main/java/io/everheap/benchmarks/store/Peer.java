package io.everheap.benchmarks.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A library that can be measured as a {@link Store}.
 *
 * @param name as given on the command line and in results
 * @param binding the class of its {@link Binding}
 * @param modes how it can be run
 * @param pairs whether it replaces two values atomically
 * @param ordered whether it reads in the order of the keys
 * @param artifact the start of the name of its jar; {@code null} for what is always there
 * @param options that its JVM needs
 * @param how what it is and how it is configured, mode by mode
 */
public record Peer(
    String name,
    String binding,
    List<Mode> modes,
    boolean pairs,
    boolean ordered,
    @Nullable String artifact,
    List<String> options,
    String how) {}
