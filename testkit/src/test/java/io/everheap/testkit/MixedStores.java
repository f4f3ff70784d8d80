package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.memory.MediumFile;
import io.everheap.store.ShardedMap;
import io.everheap.store.ShardedStore;
import io.everheap.store.StoreBatch;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The machine stops at any moment of a store that is opened, written to, given another number of
 * shards and closed, and before the next opening somebody puts one shard, or the file {@code
 * store}, back to an earlier moment. Either the opening refuses that, or nothing was lost.
 */
final class MixedStores {
  private static final int KEYS = 12;
  private static final List<String> PARTS = List.of("shard-0000", "shard-0001", "store");

  private final @Nullable KeyProvider key;

  /** Copies of an earlier session: while the store was open, and when it was closed. */
  private final List<CrashImage> copies = new ArrayList<>();

  private final List<Moment> moments = new ArrayList<>();

  /**
   * A moment.
   *
   * @param value that all keys had at least
   * @param files counts the files {@code store}, one for each session
   * @param first the value when the session began
   */
  private record Moment(CrashImage image, long value, int files, long first) {
    /**
     * Whether parts of this moment are of another session than those of a later one.
     *
     * @param withFile whether the file {@code store} is one of these parts
     */
    boolean isOfOtherSessionThan(Moment later, boolean withFile) {
      // Shards belong to two sessions from the announcement until they are written again.
      boolean isEntered = withFile && later.value > later.first;
      return later.files > (isEntered ? files : files + 1);
    }
  }

  MixedStores(@Nullable KeyProvider key) {
    this.key = key;
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (ShardedStore store = open(medium)) {
      putAll(store, 1);
      copies.add(medium.image());
      putAll(store, 2);
    }
    copies.add(medium.image());
    makeMoments();
  }

  private void makeMoments() {
    SimulatedMedium medium = copies.getLast().powerLoss(Chooser.all());
    long[] value = {2};
    long[] first = {2};
    int[] files = {0};
    medium.observe(
        point -> {
          boolean renames =
              point.kind() == CrashPoint.Kind.RENAME && point.file().startsWith("store");
          if (renames) {
            files[0]++;
            first[0] = value[0];
          }
          moments.add(new Moment(medium.image(), value[0], files[0], first[0]));
        });
    try (ShardedStore store = open(medium)) {
      putAll(store, 3);
      value[0] = 3;
      store.reshard(3);
      putAll(store, 4);
      value[0] = 4;
    }
    medium.observe(point -> {});
    moments.add(new Moment(medium.image(), 4, files[0], first[0]));
  }

  private ShardedStore open(SimulatedMedium medium) {
    return SimulatedStores.open(medium, 2, Durability.SYNC, key);
  }

  private static ShardedMap<Long, Long> map(ShardedStore store) {
    return store.map("m", Long.class, Long.class);
  }

  private static void putAll(ShardedStore store, long value) {
    StoreBatch batch = store.batch();
    for (long key = 0; key < KEYS; key++) {
      batch.put(map(store), key, value);
    }
    batch.commit();
  }

  /** Replaces a file, or all files of a directory, by those of another moment. */
  private static void putBack(SimulatedMedium from, SimulatedMedium to, String part) {
    if (part.equals("store")) {
      copy(from, to, part);
      return;
    }
    for (String directory : List.of(part, part + "/log")) {
      for (String name : to.list(directory)) {
        if (to.exists(directory + "/" + name)) {
          to.delete(directory + "/" + name);
        }
      }
      for (String name : from.list(directory)) {
        if (from.exists(directory + "/" + name)) {
          copy(from, to, directory + "/" + name);
        }
      }
    }
  }

  private static void copy(SimulatedMedium from, SimulatedMedium to, String name) {
    try (MediumFile source = from.open(name)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
      source.read(bytes, 0);
      to.delete(name);
      try (MediumFile target = to.create(name)) {
        target.write(bytes.flip(), 0);
        target.sync();
      }
    }
  }

  /** The value of all keys; -1 if the store is refused. */
  private long value(SimulatedMedium medium) {
    try (ShardedStore store = open(medium)) {
      assertThat(store.verify().problems()).isEmpty();
      Long first = map(store).get(0L);
      for (long i = 0; i < KEYS; i++) {
        assertThat(map(store).get(i)).as("key %s", i).isEqualTo(first);
      }
      return first == null ? 0 : first;
    } catch (CorruptException e) {
      return -1;
    }
  }

  /** Moments at which the machine stopped are accepted, whatever of the last writes is there. */
  void stops(int every) {
    for (int i = 0; i < moments.size(); i += every) {
      for (Chooser chooser : List.of(Chooser.all(), Chooser.none(), Chooser.random(i))) {
        assertThat(value(moments.get(i).image.powerLoss(chooser)))
            .as("moment %s", i)
            .isGreaterThanOrEqualTo(moments.get(i).value);
      }
    }
  }

  /** One part of the session before. */
  void putsBack(int every) {
    int refused = 0;
    int accepted = 0;
    for (int i = 0; i < moments.size(); i += every) {
      for (CrashImage copy : copies) {
        for (String part : PARTS) {
          SimulatedMedium target = moments.get(i).image.powerLoss(Chooser.all());
          putBack(copy.powerLoss(Chooser.all()), target, part);
          long value = value(target);
          if (value < 0) {
            refused++;
          } else {
            accepted++;
            assertThat(value).as(part).isGreaterThanOrEqualTo(moments.get(i).value);
          }
        }
      }
    }
    assertThat(refused).isGreaterThan(accepted);
  }

  /** Some parts of one moment and the others of one of a later session. */
  void mixes(int times, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < times; i++) {
      int first = random.nextInt(moments.size());
      int second = random.nextInt(moments.size());
      Moment before = moments.get(Math.min(first, second));
      Moment after = moments.get(Math.max(first, second));
      int choice = random.nextInt(1, 7);
      if (before.isOfOtherSessionThan(after, choice >= 4)) {
        SimulatedMedium target = after.image.powerLoss(Chooser.all());
        SimulatedMedium old = before.image.powerLoss(Chooser.all());
        for (int part = 0; part < PARTS.size(); part++) {
          if ((choice >> part & 1) != 0) {
            putBack(old, target, PARTS.get(part));
          }
        }
        var _ = value(target);
      }
    }
  }

  /** A shard that is unused when it is put back to a moment when it held keys. */
  void unusedShard() {
    SimulatedMedium medium = copies.getLast().powerLoss(Chooser.all());
    try (ShardedStore store = open(medium)) {
      store.reshard(1);
      map(store).clear();
    }
    SimulatedMedium target = medium.powerLoss(Chooser.all());
    putBack(copies.getLast().powerLoss(Chooser.all()), target, "shard-0001");
    try (ShardedStore store = open(target)) {
      store.reshard(2);
      assertThat(map(store).isEmpty()).isTrue();
    }
  }

  /** The machine stops several times in a row while the store is opened and closed. */
  void stopsInARow(int times, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < times; i++) {
      SimulatedMedium medium = copies.getLast().powerLoss(Chooser.all());
      for (int stop = 0; stop < 5; stop++) {
        medium.dieAt(medium.points() + random.nextInt(1, 200));
        try {
          open(medium).close();
        } catch (RuntimeException | Error e) {
          assertThatThrownBy(medium::requireAlive).as("%s", e).isInstanceOf(Throwable.class);
        }
        medium = medium.image().powerLoss(Chooser.random(random.nextLong()));
      }
      assertThat(value(medium)).as("run %s", i).isEqualTo(2);
    }
  }
}
