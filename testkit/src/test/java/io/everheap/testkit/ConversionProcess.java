package io.everheap.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.HeapConversion;
import io.everheap.error.EncryptionException;
import io.everheap.memory.Exchange;
import io.everheap.memory.MediumFile;
import io.everheap.report.BackupProgress;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that encrypts a heap, gives it a new data key, and decrypts it. Its successor finds the
 * heap whole, with the key from before an interrupted step or with that from after it, and nothing
 * else: no file of the other state, and no plaintext in an encrypted one.
 */
final class ConversionProcess implements SimulatedProcess {
  private static final String SECRET = "what nobody may read ";
  private static final int ENTRIES = 60;

  /** The keys of the heap, one after the other; null for none. */
  private static final List<@Nullable KeyProvider> STEPS = steps();

  private final HeapSetup setup;
  private final int conversions;
  private volatile boolean filled;
  private volatile int step; // that is complete

  /**
   * Creates a process that makes its heap.
   *
   * @param conversions number of them to make
   */
  ConversionProcess(HeapSetup setup, int conversions) {
    this(setup, conversions, false, 0);
  }

  private ConversionProcess(HeapSetup setup, int conversions, boolean filled, int step) {
    this.setup = setup;
    this.conversions = conversions;
    this.filled = filled;
    this.step = step;
  }

  private static List<@Nullable KeyProvider> steps() {
    List<@Nullable KeyProvider> steps = new ArrayList<>();
    steps.add(null);
    for (byte i = 1; i <= 2; i++) {
      byte[] key = new byte[32];
      key[0] = i;
      steps.add(KeyProvider.of(key));
    }
    return steps;
  }

  private static @Nullable KeyProvider key(int step) {
    return STEPS.get(step % STEPS.size());
  }

  @Override
  public Promise promise() {
    boolean wasFilled = filled;
    int reached = step;
    return new Promise() {
      @Override
      public SimulatedProcess successor(boolean powerLost, long seed) {
        return new ConversionProcess(setup, 1, wasFilled, reached);
      }

      @Override
      public Object key() {
        return List.of(wasFilled, reached);
      }
    };
  }

  private HeapSetup with(@Nullable KeyProvider key) {
    return new HeapSetup(setup.durability(), setup.background(), key);
  }

  @Override
  public void run(SimulatedMedium medium) {
    Exchange.settle(medium); // as the opening of a directory does
    if (!filled) {
      try (Heap heap = open(setup, medium)) {
        heap.transact(
            () -> {
              for (int i = 0; i < ENTRIES; i++) {
                heap.map("m", Integer.class, String.class).put(i, SECRET + i);
              }
            });
        filled = true;
      }
    } else {
      requireOneState(medium);
      step = find(medium);
    }
    for (int i = 0; i < conversions; i++) {
      int next = step + 1;
      HeapConversion.run(
          medium,
          key(step),
          key(next),
          SimulatedHeaps.options(setup.durability()),
          BackupProgress.NONE);
      step = next;
      requireOneState(medium);
      check(medium, key(step));
    }
  }

  /** The step that the heap is at: the last complete one, or the next. */
  private int find(SimulatedMedium medium) {
    for (int at = step; ; at++) {
      try {
        check(medium, key(at));
        return at;
      } catch (EncryptionException e) {
        if (at > step) {
          throw e;
        }
      }
    }
  }

  private void check(SimulatedMedium medium, @Nullable KeyProvider key) {
    HeapSetup as = with(key);
    try (Heap heap = open(as, medium)) {
      var map = heap.map("m", Integer.class, String.class);
      assertThat(map).hasSize(ENTRIES);
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(map).containsEntry(i, SECRET + i);
      }
      as.verify(heap);
    }
  }

  private static Heap open(HeapSetup as, SimulatedMedium medium) {
    return new SimulatedHeaps(as.durability(), as::configure)
        .open(medium, BackupProcess.unclosed(medium));
  }

  /** All files are encrypted or none is, and none is left over. */
  static void requireOneState(SimulatedMedium medium) {
    boolean encrypted = medium.exists("keys");
    for (String directory : List.of("", "log/")) {
      for (String name : medium.list(directory.replace("/", ""))) {
        assertThat(name).as("left over").doesNotContain("convert");
        if (encrypted) {
          assertThat(text(medium, directory + name)).as(name).doesNotContain(SECRET);
        }
      }
    }
    assertThat(medium.exists("heap.root")).isEqualTo(encrypted);
  }

  private static String text(SimulatedMedium medium, String name) {
    try (MediumFile file = medium.open(name)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
      file.read(bytes, 0);
      return ISO_8859_1.decode(bytes.flip()).toString();
    }
  }
}
