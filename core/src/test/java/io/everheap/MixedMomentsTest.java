package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody who has the files of an encrypted heap of five moments, but no key, and puts them
 * together in every combination. The moments are two closes, a copy of the open heap after a
 * commit, a copy inside of a round of a checkpoint, and the present close. In the fourth one {@code
 * heap.round} is durable, the superblock that it belongs to is not, and no page is written.
 *
 * <p>A combination is accepted only if superblocks, pages and page digests are of one moment, and
 * all values are of that moment. Of a copy of the open heap the end of the log may be missing, as
 * after a crash; then the values are those of the close before. An older moment is accepted
 * entirely, but not with an anchor of the present one: each combination that is accepted is opened
 * with the anchor too, which only adds a check. {@code RolledBackPagesTest} of the test kit has the
 * moments after that superblock, in which a page of the round is not compared.
 *
 * <p>An opening for reading depends on nothing but what it reads. So its verdict counts for all
 * combinations that have the same parts where it has read, and these are not opened.
 */
@Campaign
class MixedMomentsTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int BLOCK = 9 * 512;
  private static final int SUPERBLOCKS = 4096 + 2 * BLOCK;
  private static final int ENTRIES = 100;

  /** What is put together; the first one decides what the heap must be. */
  private static final List<String> PARTS =
      List.of("superblocks", "pages", "heap.crc", "heap.root", "heap.round", "log");

  /** The order in which they change, the large ones seldom. */
  private static final List<String> CHANGING =
      List.of("heap.round", "heap.root", "heap.crc", "superblocks", "pages", "log");

  /** What the heap holds as of each moment. */
  private static final String VALUES = "abcde";

  private static final int OPEN = 2;
  private static final int ROUND = 3;
  private static final int PRESENT = 4;

  /** Of how many combinations one is opened for writing. */
  private static final int SAMPLE = 128;

  @TempDir Path temp;

  private final List<Map<String, byte[]>> moments = new ArrayList<>();
  private final Map<List<Integer>, byte[]> homes = new HashMap<>();
  private final Map<String, byte[]> stored = new HashMap<>(); // by this test, and not changed since
  private HeapAnchor anchor;

  private Path heap() {
    return temp.resolve("heap");
  }

  private HeapBuilder builder() {
    return TestHeaps.builder(heap()).encrypt(KEY);
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
    FaultyMedium medium = new FaultyMedium(heap(), FaultyMedium.Fault.LOST);
    try (Heap heap = MediumSetting.medium(builder(), medium).open()) {
      store(heap, "d");
      medium.afterNext("sync heap.round", () -> moments.add(files()));
      heap.checkpoint();
    }
    try (Heap heap = builder().open()) {
      store(heap, "e");
      anchor = HeapAnchor.parse(HeapAnchor.of(heap).toString());
    }
    moments.add(files());
    assertThat(moments).hasSize(VALUES.length());
    for (String file : List.of("heap", "heap.crc", "heap.root", "heap.round", "ring")) {
      assertThat(moments)
          .as("no growth of %s, so that its size says nothing", file)
          .allMatch(files -> files.get(file).length == moments.get(0).get(file).length);
    }
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
  private Map<String, byte[]> files(String part, int moment) {
    Map<String, byte[]> files = new TreeMap<>();
    moments
        .get(moment)
        .forEach(
            (file, bytes) -> {
              if (file.equals("heap")) {
                boolean first = part.equals("superblocks");
                int from = first ? 0 : SUPERBLOCKS;
                int to = first ? SUPERBLOCKS : bytes.length;
                if (first || part.equals("pages")) {
                  files.put(file, Arrays.copyOfRange(bytes, from, to));
                }
              } else if (part(file).equals(part)) {
                files.put(file, bytes);
              }
            });
    return files;
  }

  private boolean isSame(String part, int moment, int other) {
    Map<String, byte[]> first = files(part, moment);
    Map<String, byte[]> second = files(part, other);
    return first.keySet().equals(second.keySet())
        && first.keySet().stream().allMatch(f -> Arrays.equals(first.get(f), second.get(f)));
  }

  /** For each part and each moment the first moment that has the same. */
  private int[][] contents() {
    int[][] contents = new int[PARTS.size()][moments.size()];
    for (int part = 0; part < PARTS.size(); part++) {
      for (int moment = 0; moment < moments.size(); moment++) {
        int same = 0;
        while (!isSame(PARTS.get(part), same, moment)) {
          same++;
        }
        contents[part][moment] = same;
      }
    }
    return contents;
  }

  /** What an opening found, and for each part that it read the content; -1 for the others. */
  private record Verdict(List<Integer> read, @Nullable Set<String> values) {
    boolean isOf(int[] contents) {
      for (int part = 0; part < contents.length; part++) {
        if (read.get(part) >= 0 && read.get(part) != contents[part]) {
          return false;
        }
      }
      return true;
    }
  }

  private interface Check {
    void check(int[] combination, @Nullable Set<String> values);
  }

  /**
   * Finds out what each combination holds when it is opened for reading. What is accepted is opened
   * with the anchor too, at once.
   */
  private void forEach(Check check) {
    int[][] contents = contents();
    List<Verdict> verdicts = new ArrayList<>();
    for (int[] combination : combinations()) {
      int[] content = new int[PARTS.size()];
      Arrays.setAll(content, part -> contents[part][combination[part]]);
      Verdict verdict = verdicts.stream().filter(v -> v.isOf(content)).findFirst().orElse(null);
      if (verdict == null) {
        put(mixed(combination));
        Set<String> read = ConcurrentHashMap.newKeySet();
        HeapBuilder reader = MediumSetting.medium(builder().readOnly(), noting(read));
        Set<String> values = values(MediumSetting.withoutThreads(reader));
        for (String part : PARTS) {
          int at = PARTS.indexOf(part);
          content[at] = read.contains(part) ? content[at] : -1;
        }
        verdict = new Verdict(Arrays.stream(content).boxed().toList(), values);
        verdicts.add(verdict);
        if (values != null) {
          requirePresent(values(builder().readOnly().notOlderThan(anchor)), combination);
        }
      }
      check.check(combination, verdict.values);
    }
    assertThat(verdicts).as("openings").hasSizeBetween(100, 5000);
  }

  private static void requirePresent(@Nullable Set<String> values, int[] combination) {
    if (values != null) {
      assertThat(values)
          .as("with an anchor: moments %s", Arrays.toString(combination))
          .containsExactly("e");
    }
  }

  /** The files, for reading; notes which parts were read. */
  private Medium noting(Set<String> read) {
    return SeenReads.of(
        FileMedium.open(heap(), true, false),
        (file, from, to) -> {
          if (!file.equals("heap")) {
            read.add(part(file));
          } else {
            if (from < SUPERBLOCKS) {
              read.add("superblocks");
            }
            if (to > SUPERBLOCKS) {
              read.add("pages");
            }
          }
        });
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
    boolean wasOpen = moment == OPEN || moment == ROUND;
    return value.equals(VALUES.substring(moment, moment + 1))
        || (wasOpen && value.equals(VALUES.substring(moment - 1, moment)));
  }

  @Test
  void aMixIsRefusedUnlessItIsOneMoment() {
    Set<Integer> accepted = new TreeSet<>();
    forEach(
        (combination, values) -> {
          if (values != null) {
            String what = "moments " + Arrays.toString(combination) + " of " + PARTS;
            assertThat(values).as(what).hasSize(1);
            int moment = combination[0];
            assertThat(values).as(what).allMatch(value -> isOf(moment, value));
            for (String part : List.of("pages", "heap.crc")) { // a later root may have this one too
              int from = combination[PARTS.indexOf(part)];
              assertThat(isSame(part, from, moment)).as("%s of %s", part, what).isTrue();
            }
            if (Arrays.stream(combination).distinct().count() == 1) {
              assertThat(values).as(what).containsExactly(VALUES.substring(moment, moment + 1));
              accepted.add(moment);
            }
          }
        });
    assertThat(accepted).as("whole moments").containsExactly(0, 1, 2, 3, 4);
  }

  /**
   * With an anchor only the present moment is opened for writing, and a refusal changes nothing:
   * all whole moments, and some of the other combinations.
   */
  @Test
  void aHeapThatIsRefusedIsLeftAsItIs() {
    for (int[] combination : combinations()) {
      boolean isWhole = Arrays.stream(combination).distinct().count() == 1;
      if (isWhole || Arrays.hashCode(combination) % SAMPLE == 0) {
        Map<String, byte[]> files = mixed(combination);
        put(files);
        Set<String> values = values(builder().notOlderThan(anchor));
        requirePresent(values, combination);
        if (isWhole && combination[0] == PRESENT) {
          assertThat(values).as("the present moment").isNotNull();
        }
        if (combination[0] != PRESENT) {
          assertThat(values).isNull();
          Map<String, byte[]> left = files();
          assertThat(left.keySet()).isEqualTo(files.keySet());
          left.forEach(
              (file, bytes) ->
                  assertThat(bytes)
                      .as("%s of %s", file, Arrays.toString(combination))
                      .isEqualTo(files.get(file)));
        } else {
          stored.clear();
        }
      }
    }
  }
}
