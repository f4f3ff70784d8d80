/**
 * Tests of code that is built on a heap, under crashes: a simulated medium that knows what a killed
 * process or a loss of power can leave behind, and tools that try it.
 *
 * <ul>
 *   <li>{@link io.everheap.testkit.CrashTest} crashes a program at many moments and checks what it
 *       finds when it opens the heap again; failures are reduced and can be repeated.
 *   <li>{@link io.everheap.testkit.FlushLint} counts the fences, syncs and log bytes of code.
 *   <li>{@link io.everheap.testkit.machine.SimulatedMedium} is what both run on.
 * </ul>
 *
 * <pre>{@code
 * CrashTest.of(
 *         (heap, steps) -> {
 *           for (int i = 0; i < 10; i++) {
 *             steps.begin();
 *             transfer(accounts(heap), heap, "alice", "bob", 5);
 *             steps.end();
 *           }
 *         })
 *     .verify(
 *         (heap, progress) -> {
 *           long alice = accounts(heap).getOrDefault("alice", 0L);
 *           long bob = accounts(heap).getOrDefault("bob", 0L);
 *           assertThat(alice + bob).isZero();
 *           assertThat(bob).isBetween(5L * progress.least(), 5L * progress.most());
 *         });
 * }</pre>
 *
 * <p>Simulated heaps are small, and the same program meets the same moments each time, unless it
 * uses threads.
 */
@NullMarked
package io.everheap.testkit;

import org.jspecify.annotations.NullMarked;
