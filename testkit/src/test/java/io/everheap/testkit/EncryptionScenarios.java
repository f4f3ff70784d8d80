package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.error.EverheapException;
import io.everheap.heap.OpenHeap;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.KeyFile;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.store.ShardedStore;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.Crash;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** What the tests of the tests run against deliberate mistakes in the encryption of heaps. */
public final class EncryptionScenarios {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int SEEDS = Integer.getInteger("everheap.crash.effort", 1);
  private static final int HEADER = 4096;
  private static final int SECTOR = 512;
  private static final int STORED = 9 * SECTOR;

  private EncryptionScenarios() {}

  public static void file() {
    explore(true);
  }

  public static void async() {
    explore(false);
  }

  private static void explore(boolean sync) {
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(5, 40, 4), new Explorer.Effort(1, 1, 1));
    for (int seed = 1; seed <= SEEDS; seed++) {
      new Explorer(seed, efforts, new CrashReport())
          .explore(
              new BlockProcess(
                  SimulatedHeaps.options(new HeapSetup(sync).durability()), true, seed, 30),
              SimulatedMedium.file(seed));
    }
  }

  private static Heap open(SimulatedMedium medium) {
    return new SimulatedHeaps(Durability.SYNC, builder -> builder.encrypt(KEY)).open(medium);
  }

  private static void store(SimulatedMedium medium, String value) {
    try (Heap heap = open(medium)) {
      var map = heap.map("m", Integer.class, String.class);
      for (int i = 0; i < 300; i++) {
        map.put(i, value + i);
      }
    }
  }

  private static void expect(Heap heap, String value) {
    var map = heap.map("m", Integer.class, String.class);
    for (int i = 0; i < 300; i++) {
      assertThat(map.get(i)).isEqualTo(value + i);
    }
  }

  /** A shard of an encrypted store is refused in the place of another one. */
  public static void exchangedShards() {
    SimulatedMedium made = SimulatedMedium.file(1);
    openStore(made).close();
    SimulatedMedium medium = made.processKill();
    for (String directory : List.of("", "/log")) {
      String first = "shard-0000" + directory;
      String second = "shard-0001" + directory;
      Map<String, ByteBuffer> files = files(medium, first);
      Map<String, ByteBuffer> others = files(medium, second);
      replace(medium, first, others);
      replace(medium, second, files);
    }
    assertThatThrownBy(() -> openStore(medium).close()).isInstanceOf(EncryptionException.class);
  }

  private static ShardedStore openStore(SimulatedMedium medium) {
    return SimulatedStores.open(medium, 2, Durability.SYNC, KEY);
  }

  private static Map<String, ByteBuffer> files(SimulatedMedium medium, String directory) {
    Map<String, ByteBuffer> files = new TreeMap<>();
    for (String name : medium.list(directory)) {
      if (!name.equals("log")) {
        try (MediumFile file = medium.open(directory + "/" + name)) {
          ByteBuffer bytes = ByteBuffer.allocateDirect((int) file.size());
          file.read(bytes, 0);
          files.put(name, bytes.flip());
        }
        medium.delete(directory + "/" + name);
      }
    }
    return files;
  }

  private static void replace(
      SimulatedMedium medium, String directory, Map<String, ByteBuffer> files) {
    files.forEach(
        (name, bytes) -> {
          try (MediumFile file = medium.create(directory + "/" + name)) {
            file.truncate(bytes.limit());
            file.write(bytes, 0);
          }
        });
  }

  /** An encrypted heap is backed up, but not in plaintext. */
  public static void backups() {
    try (Heap heap = open(SimulatedMedium.file(1))) {
      heap.map("m", Integer.class, String.class).put(1, "secret");
      HeapSetup setup = new HeapSetup(true);
      take(new BackupProcess.Store(setup.encrypted()), heap);
      assertThatThrownBy(() -> take(new BackupProcess.Store(setup), heap))
          .isInstanceOf(EncryptionException.class);
    }
  }

  private static void take(BackupProcess.Store store, Heap heap) {
    store.directory.take(OpenHeap.engine(heap), Backup.Kind.FULL, 0, BackupProgress.NONE);
  }

  /** Two copies of a heap go on, and each is opened several times: no nonce has two sectors. */
  public static void nonces() {
    Map<String, byte[]> sectors = new HashMap<>();
    SimulatedMedium first = SimulatedMedium.file(1);
    store(first, "a");
    collect(first, sectors);
    SimulatedMedium copy = first.processKill();
    for (int i = 0; i < 3; i++) {
      copy = copy.processKill();
      store(copy, "b" + i);
      collect(copy, sectors);
      SimulatedMedium other = copy.processKill();
      store(other, "c" + i);
      collect(other, sectors);
    }
    assertThat(sectors.size()).isGreaterThan(1000);
  }

  private static void collect(SimulatedMedium medium, Map<String, byte[]> sectors) {
    files(medium)
        .forEach(
            (name, bytes) -> {
              for (int at = HEADER; at + SECTOR <= bytes.length; at += SECTOR) {
                byte[] sector = Arrays.copyOfRange(bytes, at, at + SECTOR);
                String nonce = new String(sector, 0, 24, StandardCharsets.ISO_8859_1);
                byte[] before = sectors.putIfAbsent(nonce, sector);
                boolean zeros = Arrays.equals(sector, new byte[SECTOR]);
                assertThat(before == null || zeros || Arrays.equals(before, sector))
                    .as("one nonce, one sector; at " + at + " of " + name)
                    .isTrue();
              }
            });
  }

  /** Files as they are stored, by their names. */
  private static Map<String, byte[]> files(SimulatedMedium closed) {
    Map<String, byte[]> files = new TreeMap<>();
    try (SimulatedMedium medium = closed.processKill()) {
      for (String directory : List.of("", "log/")) {
        for (String name : medium.list(directory.replace("/", ""))) {
          if (!name.equals(KeyFile.NAME)) {
            try (MediumFile file = medium.open(directory + name)) {
              byte[] bytes = new byte[(int) file.size()];
              file.read(ByteBuffer.wrap(bytes), 0);
              files.put(directory + name, bytes);
            }
          }
        }
      }
    }
    return files;
  }

  private static void write(Medium medium, String name, long at, byte[] bytes) {
    try (MediumFile file = medium.open(name)) {
      file.write(ByteBuffer.wrap(bytes), at);
      file.sync();
    }
  }

  /** Bits flip anywhere: what is read is right, or refused. */
  public static void changed() {
    tamper((random, bytes) -> bytes[HEADER + random.nextInt(bytes.length - HEADER)] ^= 4);
  }

  /** Sectors of a file change places: what is read is right, or refused. */
  public static void moved() {
    tamper(
        (random, bytes) -> {
          for (int i = 0; i < 100; i++) {
            int blocks = (bytes.length - HEADER) / STORED;
            int sector = random.nextInt(8) * SECTOR;
            int from = HEADER + random.nextInt(blocks) * STORED + sector;
            int to = HEADER + random.nextInt(blocks) * STORED + sector;
            System.arraycopy(bytes, from, bytes, to, SECTOR);
          }
        });
  }

  /** Changes the bytes of a file. */
  private interface Tampering {
    void change(Random random, byte[] bytes);
  }

  private static void tamper(Tampering tampering) {
    SimulatedMedium made = SimulatedMedium.file(1);
    byte[] contents = new byte[20 * 4096];
    new Random(8).nextBytes(contents);
    try (Medium medium = SealedMedium.open(made, KEY);
        MediumFile file = medium.create("heap")) {
      file.write(ByteBuffer.wrap(contents), 0);
    }
    byte[] stored = files(made).get("heap");
    Random random = new Random(7);
    for (int i = 0; i < 50; i++) {
      byte[] bytes = stored.clone();
      tampering.change(random, bytes);
      SimulatedMedium changed = made.processKill();
      write(changed, "heap", 0, bytes);
      byte[] found = new byte[contents.length];
      try (Medium medium = SealedMedium.open(changed, KEY);
          MediumFile file = medium.open("heap")) {
        file.read(ByteBuffer.wrap(found), 0);
        assertThat(found).isEqualTo(contents);
      } catch (CorruptException e) {
        assertThat(e).hasMessageContaining("not authentic");
      }
    }
  }

  private static void requireRightOrRefused(SimulatedMedium medium, String value) {
    try (medium;
        Heap heap = open(medium)) {
      expect(heap, value);
    } catch (EverheapException e) {
      assertThat(e.code()).startsWith("EH-");
    }
  }

  /** Old pages are put back, each of which is authentic. */
  public static void oldPages() {
    SimulatedMedium made = SimulatedMedium.file(1);
    store(made, "a");
    byte[] old = files(made).get("heap");
    SimulatedMedium now = made.processKill();
    store(now, "b");
    byte[] bytes = files(now).get("heap");
    for (int at = HEADER + 2 * STORED; at + STORED <= old.length; at += STORED) {
      byte[] page = Arrays.copyOfRange(old, at, at + STORED);
      if (!Arrays.equals(page, Arrays.copyOfRange(bytes, at, at + STORED))) {
        SimulatedMedium medium = now.processKill();
        write(medium, "heap", at, page);
        requireRightOrRefused(medium, "b");
      }
    }
  }

  /** All pages of an old state are put back together with their checksums. */
  public static void oldImage() {
    SimulatedMedium medium = withOldImage("heap");
    try (medium;
        Heap heap = open(medium)) {
      assertThat(heap.verify().problems()).isNotEmpty();
    } catch (EverheapException e) {
      assertThat(e.code()).startsWith("EH-");
    }
  }

  /** The same, with the seals of that time, but the present root. */
  public static void oldSeals() {
    requireRightOrRefused(withOldImage("heap", "heap.root"), "b");
  }

  /** A heap whose checksums, and all but the first two blocks of files, are of an old state. */
  private static SimulatedMedium withOldImage(String... names) {
    SimulatedMedium made = SimulatedMedium.file(1);
    store(made, "a");
    Map<String, byte[]> old = files(made);
    SimulatedMedium now = made.processKill();
    store(now, "b");
    SimulatedMedium medium = now.processKill();
    int from = HEADER + 2 * STORED;
    for (String name : names) {
      byte[] bytes = old.get(name);
      write(medium, name, from, Arrays.copyOfRange(bytes, from, bytes.length));
    }
    write(medium, "heap.crc", 0, old.get("heap.crc"));
    return medium;
  }

  /** A crash while the key is replaced leaves a heap that one of the two keys opens. */
  public static void rekey() {
    SimulatedMedium made = SimulatedMedium.file(1);
    store(made, "a");
    byte[] other = new byte[32];
    other[0] = 1;
    for (long point = 1; point < 30; point++) {
      for (Chooser chooser : List.of(Chooser.none(), Chooser.all(), Chooser.only(0))) {
        SimulatedMedium medium = made.processKill();
        medium.dieAt(medium.points() + point);
        try {
          KeyFile.read(medium).rewrap(medium, KEY, KeyProvider.of(other));
        } catch (Crash e) {
          // The machine lost its power there.
        }
        SimulatedMedium after = medium.powerLoss(chooser);
        boolean opened = false;
        for (KeyProvider key : List.of(KEY, KeyProvider.of(other))) {
          try {
            KeyFile.read(after).rewrap(after, key, KEY);
            opened = true;
            break;
          } catch (EverheapException e) {
            // The other one must do.
          }
        }
        assertThat(opened).as("one of the keys opens the heap, point " + point).isTrue();
        try (after;
            Heap heap = open(after)) {
          expect(heap, "a");
        }
      }
    }
  }
}
