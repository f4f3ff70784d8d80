package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.encryption.KeyProvider;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the heaps of a crash test are opened.
 *
 * @param background whether threads work in the background
 * @param key of encrypted heaps; null for others
 */
record HeapSetup(Durability durability, boolean background, @Nullable KeyProvider key) {
  /** Without threads in the background, and so the same each time. */
  HeapSetup(boolean sync) {
    this(sync ? Durability.SYNC : Durability.async(Duration.ofMinutes(30)), false);
  }

  HeapSetup(Durability durability, boolean background) {
    this(durability, background, null);
  }

  HeapSetup encrypted() {
    return new HeapSetup(durability, background, KeyProvider.of(new byte[32]));
  }

  HeapBuilder configure(HeapBuilder builder) {
    return key == null ? builder : builder.encrypt(key);
  }

  /** A medium whose contents are encrypted if the heaps are. */
  Medium with(Medium medium) {
    return SealedMedium.with(medium, key);
  }

  boolean sync() {
    return durability instanceof Durability.Sync;
  }

  Heap open(SimulatedMedium medium) {
    return new SimulatedHeaps(durability, this::configure, background).open(medium);
  }

  /** Opens a heap on a view of a medium. */
  Heap open(SimulatedMedium medium, Medium view) {
    return new SimulatedHeaps(durability, this::configure, background).open(medium, view);
  }

  void verify(Heap heap) {
    assertThat(heap.verify().problems()).as("problems that verify finds").isEmpty();
  }
}
