package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.report.VerifyProgress;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody who has the files of an encrypted heap of four moments, but no key, and puts them
 * together in every combination: two closes, a copy that was made while the heap was open, and the
 * present close.
 */
@Campaign
class MixedMomentsTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int BLOCK = 9 * 512;
  private static final int SUPERBLOCKS = 4096 + 2 * BLOCK;
  private static final int ENTRIES = 400;

  /** What is put together; the first one decides what the heap must be. */
  private static final List<String> PARTS =
      List.of("superblocks", "pages", "heap.crc", "heap.root", "heap.round", "log");

  /** The order in which they change, the large ones seldom. */
  private static final List<String> CHANGING =
      List.of("heap.round", "heap.root", "heap.crc", "superblocks", "pages", "log");

  /** What the heap holds as of each moment. */
  private static final String VALUES = "abcd";

  @TempDir Path temp;

  private final List<Map<String, byte[]>> moments = new ArrayList<>();
  private final Map<List<Integer>, byte[]> homes = new HashMap<>();
  private final Map<String, byte[]> stored = new HashMap<>(); // by this test, and not changed since
  private HeapAnchor anchor;

  private Path heap() {
    return temp.resolve("heap");
  }

  private HeapBuilder builder() {
    return Heap.builder(heap()).encrypt(KEY);
  }

  @BeforeEach
  void makeMoments() {
    close("a");
    moments.add(files());
    close("b");
    moments.add(files());
    try (Heap heap = builder().open()) {
      store(heap, "c");
      moments.add(files());
    }
    try (Heap heap = builder().open()) {
      store(heap, "d");
      anchor = HeapAnchor.parse(HeapAnchor.of(heap).toString());
    }
    moments.add(files());
  }

  private void close(String value) {
    try (Heap heap = builder().open()) {
      store(heap, value);
    }
  }

  private static void store(Heap heap, String value) {
    var map = heap.map("m", Integer.class, String.class);
    heap.transact(
        () -> {
          for (int i = 0; i < ENTRIES; i++) {
            map.put(i, value.repeat(120));
          }
        });
  }

  /** The values that are there; null if the heap is refused, or reports that it is not sound. */
  private static @Nullable Set<String> values(HeapBuilder builder) {
    try (Heap heap = builder.open()) {
      var map = heap.map("m", Integer.class, String.class);
      Set<String> values = new TreeSet<>();
      for (int i = 0; i < ENTRIES; i++) {
        String value = map.get(i);
        values.add(value == null ? "none" : value.substring(0, 1));
      }
      return heap.verify(VerifyProgress.NONE).ok() ? values : null;
    } catch (EverheapException e) {
      assertThat(e.code()).isIn("EH-CORRUPT", "EH-TRUNCATED", "EH-ENCRYPTION", "EH-CORRUPT-LOG");
      return null;
    }
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    try (Stream<Path> all = Files.walk(heap())) {
      all.filter(Files::isRegularFile)
          .forEach(file -> names.add(heap().relativize(file).toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    names.removeAll(Set.of("lock", "owner", "keys", "counters"));
    return names;
  }

  private Map<String, byte[]> files() {
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : names()) {
      run(() -> files.put(name, Files.readAllBytes(heap().resolve(name))));
    }
    return files;
  }

  private static String part(String file) {
    return PARTS.contains(file) ? file : "log"; // with the ring, and the pages since a backup
  }

  /** The files, each part of the moment that a combination names. */
  private Map<String, byte[]> mixed(int[] combination) {
    Map<String, byte[]> mixed = new TreeMap<>();
    for (String file : Set.of("heap.crc", "heap.root", "heap.round")) {
      mixed.put(file, moments.get(combination[PARTS.indexOf(file)]).get(file));
    }
    moments
        .get(combination[PARTS.indexOf("log")])
        .forEach(
            (file, bytes) -> {
              if (!file.equals("heap") && part(file).equals("log")) {
                mixed.put(file, bytes);
              }
            });
    mixed.put("heap", homes.computeIfAbsent(List.of(combination[0], combination[1]), this::home));
    return mixed;
  }

  private byte[] home(List<Integer> parts) {
    byte[] home = moments.get(parts.get(1)).get("heap").clone();
    System.arraycopy(moments.get(parts.get(0)).get("heap"), 0, home, 0, SUPERBLOCKS);
    return home;
  }

  /** Puts files in the place of those that are there; those that are equal stay. */
  private void put(Map<String, byte[]> files) {
    for (String old : names()) {
      if (!files.containsKey(old)) {
        run(() -> Files.delete(heap().resolve(old)));
        stored.remove(old);
      }
    }
    files.forEach(
        (file, bytes) -> {
          if (!Arrays.equals(stored.put(file, bytes), bytes)) {
            run(() -> Files.createDirectories(heap().resolve(file).getParent()));
            run(() -> Files.write(heap().resolve(file), bytes));
          }
        });
  }

  private interface Action {
    void run() throws IOException;
  }

  private static void run(Action action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A part as of a moment; two moments may have the same. */
  private byte[] bytes(String part, int moment) {
    Map<String, byte[]> files = moments.get(moment);
    return part.equals("pages")
        ? Arrays.copyOfRange(files.get("heap"), SUPERBLOCKS, files.get("heap").length)
        : files.get(part);
  }

  private List<int[]> combinations() {
    List<int[]> all = new ArrayList<>();
    int count = (int) Math.pow(moments.size(), PARTS.size());
    for (int i = 0; i < count; i++) {
      int[] combination = new int[PARTS.size()];
      int rest = i;
      for (String part : CHANGING) {
        combination[PARTS.indexOf(part)] = rest % moments.size();
        rest /= moments.size();
      }
      all.add(combination);
    }
    return all;
  }

  /** Of a moment at which the heap was open, the end of the log may be missing as after a crash. */
  private static boolean isOf(int moment, String value) {
    String its = VALUES.substring(moment, moment + 1);
    return value.equals(its) || (moment == 2 && value.equals("b"));
  }

  @Test
  void aMixIsRefusedUnlessItIsOneMoment() {
    int accepted = 0;
    for (int[] combination : combinations()) {
      put(mixed(combination));
      Set<String> values = values(builder().readOnly());
      if (values != null) {
        String what = "moments " + Arrays.toString(combination) + " of " + PARTS;
        assertThat(values).as(what).hasSize(1);
        int moment = combination[0];
        assertThat(values).as(what).allMatch(value -> isOf(moment, value));
        for (String part : List.of("pages", "heap.crc")) { // a later root may still have this one
          int from = combination[PARTS.indexOf(part)];
          assertThat(bytes(part, from)).as("%s of %s", part, what).isEqualTo(bytes(part, moment));
        }
        accepted++;
      }
    }
    assertThat(accepted).as("whole moments at least").isGreaterThanOrEqualTo(moments.size());
  }

  @Test
  void withAnAnchorNothingOlderIsAccepted() {
    int accepted = 0;
    for (int[] combination : combinations()) {
      put(mixed(combination));
      Set<String> values = values(builder().readOnly().notOlderThan(anchor));
      if (values != null) {
        assertThat(values).as("moments " + Arrays.toString(combination)).containsExactly("d");
        accepted++;
      }
    }
    assertThat(accepted).isPositive();
  }

  /** What is accepted for reading can be opened for writing, and a refusal changes nothing. */
  @Test
  void aHeapThatIsRefusedIsLeftAsItIs() {
    for (int[] combination : combinations()) {
      boolean isWhole = Arrays.stream(combination).distinct().count() == 1;
      if (isWhole || Arrays.hashCode(combination) % 16 == 0) {
        Map<String, byte[]> files = mixed(combination);
        put(files);
        Set<String> values = values(builder().notOlderThan(anchor));
        stored.clear();
        if (combination[0] != 3) {
          assertThat(values).isNull();
          Map<String, byte[]> left = files();
          assertThat(left.keySet()).isEqualTo(files.keySet());
          left.forEach(
              (file, bytes) ->
                  assertThat(bytes)
                      .as("%s of %s", file, Arrays.toString(combination))
                      .isEqualTo(files.get(file)));
        }
      }
    }
  }
}
