package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.durable.Durable;
import io.everheap.error.ReadOnlyException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A heap that repeats the transactions of another one while it is read. */
@Campaign
class ReplicaTest {
  @TempDir Path dir;

  /** An object. */
  @Durable
  public interface Account {
    long balance();

    void balance(long value);

    String owner();

    void owner(String value);
  }

  private static void change(Heap heap, Random random) {
    DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
    DurableSortedMap<String, Long> sorted = heap.sortedMap("sorted", String.class, Long.class);
    DurableMap<String, Account> accounts = heap.map("accounts", String.class, Account.class);
    heap.transact(
        () -> {
          for (int n = random.nextInt(1, 8); n > 0; n--) {
            int key = random.nextInt(400);
            switch (random.nextInt(6)) {
              case 0 -> map.remove(key);
              case 1 -> sorted.remove("k" + key);
              case 2, 3 -> {
                byte[] value = new byte[random.nextInt(40) == 0 ? 400_000 : random.nextInt(3_000)];
                random.nextBytes(value);
                map.put(key, value);
              }
              case 4 -> sorted.put("k" + key, random.nextLong());
              default -> {
                Account account =
                    accounts.computeIfAbsent("a" + key % 50, name -> heap.create(Account.class));
                account.balance(random.nextLong());
                account.owner("owner " + random.nextInt());
              }
            }
          }
        });
    if (random.nextInt(30) == 0) {
      map.clear();
    }
  }

  private static Map<String, Object> contents(Heap heap) {
    Map<String, Object> all = new HashMap<>();
    heap.map("map", Integer.class, byte[].class)
        .forEach((k, v) -> all.put("m" + k, Arrays.hashCode(v)));
    heap.sortedMap("sorted", String.class, Long.class).forEach(all::put);
    heap.map("accounts", String.class, Account.class)
        .forEach((k, v) -> all.put(k, v.balance() + v.owner()));
    return all;
  }

  @Test
  void aReplicaHasWhatThePrimaryHas() {
    Random random = new Random(1);
    try (Heap primary = Heap.open(dir.resolve("primary"))) {
      for (int i = 0; i < 50; i++) {
        change(primary, random);
      }
      try (ReplicaPair pair = new ReplicaPair(primary, dir.resolve("replica"))) {
        for (int i = 0; i < 1_500; i++) {
          change(primary, random);
          if (i % 100 == 7) {
            pair.pump();
            assertThat(contents(pair.replica())).isEqualTo(contents(primary));
          }
          if (i % 300 == 50) {
            primary.checkpoint();
            primary.shrink();
          }
          if (i % 400 == 60) {
            primary.remove("map");
          }
          if (i % 500 == 70) {
            pair.pump();
            pair.reopen();
          }
          if (i % 450 == 80) {
            primary.collect();
          }
        }
        pair.pump();
        assertThat(contents(pair.replica())).isEqualTo(contents(primary));
        assertThat(pair.replica().verify().problems()).isEmpty();
        assertThat(primary.verify().problems()).isEmpty();
        assertThat(pair.replica().names()).isEqualTo(primary.names());
      }
    }
  }

  @Test
  void aReplicaRefusesChanges() {
    try (Heap primary = Heap.open(dir.resolve("primary"))) {
      change(primary, new Random(1));
      try (ReplicaPair pair = new ReplicaPair(primary, dir.resolve("replica"))) {
        Heap replica = pair.replica();
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        Thread other =
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        replica.map("map", Integer.class, byte[].class).put(1, new byte[1]);
                      } catch (Throwable t) {
                        refusal.set(t);
                      }
                    });
        Limit.join(other);
        assertThat(refusal.get())
            .isInstanceOf(ReadOnlyException.class)
            .hasMessageContaining("replica");
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void readersSeeWholeTransactions() throws Exception {
    try (Heap primary = Heap.open(dir.resolve("primary"))) {
      DurableMap<Integer, Long> map = primary.map("sums", Integer.class, Long.class);
      DurableMap<String, Account> accounts = primary.map("pair", String.class, Account.class);
      primary.transact(
          () -> {
            for (int key = 0; key < 64; key++) {
              map.put(key, 0L);
            }
            for (String name : new String[] {"x", "y"}) {
              accounts.put(name, primary.create(Account.class));
            }
          });
      try (ReplicaPair pair = new ReplicaPair(primary, dir.resolve("replica"))) {
        Heap replica = pair.replica();
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread reader = Thread.ofPlatform().start(() -> read(replica, done, failure));
        Random random = new Random(3);
        for (int i = 1; i < 4_000; i++) {
          long value = i;
          primary.transact(
              Durability.async(Duration.ofSeconds(1)),
              () -> {
                int a = random.nextInt(64);
                int b = random.nextInt(64);
                map.merge(a, value, Long::sum);
                map.merge(b, -value, Long::sum);
                for (String name : new String[] {"x", "y"}) { // freed and made again
                  primary.free(accounts.get(name));
                  accounts.put(name, primary.create(Account.class, x -> x.balance(value)));
                }
              });
          if (i % 40 == 0) {
            pair.pump();
          }
        }
        done.set(true);
        Limit.join(reader);
        assertThat(failure.get()).isNull();
      }
    }
  }

  private static void read(Heap replica, AtomicBoolean done, AtomicReference<Throwable> failure) {
    try {
      DurableMap<Integer, Long> map = replica.map("sums", Integer.class, Long.class);
      DurableMap<String, Account> accounts = replica.map("pair", String.class, Account.class);
      while (!done.get()) {
        long sum = replica.read(() -> map.values().stream().mapToLong(v -> v).sum());
        assertThat(sum).isZero();
        long[] two =
            replica.read(
                () -> new long[] {accounts.get("x").balance(), accounts.get("y").balance()});
        assertThat(two[0]).isEqualTo(two[1]);
      }
    } catch (Throwable t) {
      failure.set(t);
    }
  }

  /** Updates of different records are applied together. */
  @Test
  void readersSeeWholeValuesOfJoinedTransactions() throws Exception {
    try (Heap primary =
        Heap.builder(dir.resolve("primary"))
            .durability(Durability.async(Duration.ofSeconds(10)))
            .open()) {
      DurableMap<Integer, byte[]> map = primary.map("values", Integer.class, byte[].class);
      for (int key = 0; key < 64; key++) {
        map.put(key, new byte[500]);
      }
      try (ReplicaPair pair = new ReplicaPair(primary, dir.resolve("replica"))) {
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread reader = Thread.ofPlatform().start(() -> readValues(pair.replica(), done, failure));
        long before = pair.replica().stats().commits();
        for (int round = 1; round < 200; round++) {
          for (int key = 0; key < 64; key++) {
            byte[] value = new byte[500];
            Arrays.fill(value, (byte) round);
            map.put(key, value);
          }
          pair.pump();
        }
        done.set(true);
        Limit.join(reader);
        assertThat(failure.get()).isNull();
        assertThat(pair.replica().stats().commits() - before).isLessThan(199 * 64 / 2);
        assertThat(pair.replica().verify().problems()).isEmpty();
      }
    }
  }

  private static void readValues(
      Heap replica, AtomicBoolean done, AtomicReference<Throwable> failure) {
    try {
      DurableMap<Integer, byte[]> map = replica.map("values", Integer.class, byte[].class);
      while (!done.get()) {
        for (byte[] value : map.values()) {
          assertThat(value).hasSize(500).containsOnly(value[0]);
        }
      }
    } catch (Throwable t) {
      failure.set(t);
    }
  }

  @Test
  void aRestartOfThePrimaryIsFollowed() {
    Random random = new Random(5);
    Path path = dir.resolve("primary");
    try (Heap primary = Heap.open(path)) {
      change(primary, random);
      new ReplicaPair(primary, dir.resolve("replica")).close();
    }
    for (int i = 0; i < 4; i++) {
      try (Heap primary = Heap.open(path);
          Heap replica = ReplicaPair.open(dir.resolve("replica"));
          ReplicaPair.Link link = new ReplicaPair.Link(primary, replica)) {
        for (int n = 0; n < 20; n++) {
          change(primary, random);
        }
        primary.sync();
        while (link.step()) {
          // goes on
        }
        assertThat(contents(replica)).isEqualTo(contents(primary));
      }
    }
  }

  @Test
  void aReplicaThatIsNotAtTheEndOfAnOlderEpochMustBeMadeAnew() {
    Random random = new Random(5);
    Path path = dir.resolve("primary");
    try (Heap primary = Heap.open(path)) {
      change(primary, random);
      new ReplicaPair(primary, dir.resolve("replica")).close();
      change(primary, random);
    }
    try (Heap primary = Heap.open(path);
        Heap replica = ReplicaPair.open(dir.resolve("replica"))) {
      assertThatThrownBy(() -> new ReplicaPair.Link(primary, replica))
          .hasMessageContaining("made anew");
    }
  }
}
