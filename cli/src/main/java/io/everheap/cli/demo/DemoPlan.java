package io.everheap.cli.demo;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The parameters of a demo.
 *
 * @param directory where the heap is made; empty or not there yet
 * @param layout how large the bank is
 * @param length how long the demo takes, nearly, from start to end
 * @param threads how many threads of the worker make transfers
 * @param kills how many times the worker is killed
 * @param tamper whether one acknowledged transfer is removed after the last kill, so that the check
 *     fails
 */
record DemoPlan(
    Path directory,
    Layout layout,
    Duration length,
    int threads,
    DurabilityOption durability,
    int kills,
    long seed,
    boolean tamper) {}
