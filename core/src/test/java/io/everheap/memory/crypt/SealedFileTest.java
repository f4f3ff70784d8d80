package io.everheap.memory.crypt;

import static io.everheap.memory.DurableWrite.DIRECT_DSYNC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Campaign
class SealedFileTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int BLOCK = SealedLayout.BLOCK;
  private static final int SECTOR = SealedLayout.SECTOR;

  @TempDir Path temp;

  private SealedMedium open() {
    return SealedMedium.open(FileMedium.open(temp, false, true), KEY);
  }

  /** The same writes to a file and to an array give the same contents, also of the next opening. */
  @Test
  void itHoldsWhatWasWritten() {
    Random random = new Random(1);
    byte[] model = new byte[40 * SealedLayout.BLOCK];
    int end = 0;
    for (int opening = 0; opening < 3; opening++) {
      try (SealedMedium medium = open();
          MediumFile file = medium.exists("heap") ? medium.open("heap") : medium.create("heap")) {
        for (int i = 0; i < 60; i++) {
          byte[] bytes = new byte[random.nextInt(1, random.nextInt(1, 20_000))];
          random.nextBytes(bytes);
          int at = random.nextInt(model.length - bytes.length);
          file.write(ByteBuffer.wrap(bytes), at);
          System.arraycopy(bytes, 0, model, at, bytes.length);
          end = Math.max(end, at + bytes.length);
          if (random.nextInt(10) == 0) {
            end = random.nextInt(end);
            file.truncate(end);
            Arrays.fill(model, end, model.length, (byte) 0);
          }
          assertThat(file.size()).isEqualTo((end + 4095L) / 4096 * 4096);
          byte[] found = new byte[random.nextInt(1, 30_000)];
          int from = random.nextInt(model.length - found.length);
          int read = file.read(ByteBuffer.wrap(found), from);
          assertThat(read).isEqualTo(Math.clamp(file.size() - from, 0, found.length));
          assertThat(Arrays.copyOf(found, read))
              .isEqualTo(Arrays.copyOfRange(model, from, from + read));
        }
        try (Region region = file.map(Mapping.PRIVATE, 0, file.size())) {
          byte[] found = new byte[(int) file.size()];
          region.copyTo(0, found, 0, found.length);
          assertThat(found).isEqualTo(Arrays.copyOf(model, found.length));
        }
      }
    }
  }

  /** What threads read while another one writes is of one write, whole, and authentic. */
  @Test
  void readersSeeNoPartOfAWrite() throws Exception {
    int length = 3 * Sealer.Bench.BLOCKS * BLOCK; // what is read in several parts
    AtomicBoolean written = new AtomicBoolean();
    try (SealedMedium medium = open();
        MediumFile file = medium.create("heap");
        MediumFile same = medium.open("heap");
        ExecutorService executor = Executors.newFixedThreadPool(3)) {
      file.write(ByteBuffer.allocate(length), 0);
      List<Future<?>> readers = new ArrayList<>();
      for (int reader = 0; reader < 3; reader++) {
        Random random = new Random(reader);
        readers.add(
            executor.submit(
                () -> {
                  while (!written.get()) {
                    byte[] found = new byte[random.nextInt(1, length)];
                    int read =
                        same.read(
                            ByteBuffer.wrap(found), random.nextInt(length - found.length + 1));
                    byte[] expected = new byte[Math.max(read, 0)];
                    Arrays.fill(expected, found[0]);
                    assertThat(
                            Arrays.mismatch(
                                found, 0, expected.length, expected, 0, expected.length))
                        .isEqualTo(-1);
                  }
                }));
      }
      byte[] bytes = new byte[length];
      try {
        for (int version = 1; version <= 300; version++) {
          if (version % 10 == 0) {
            file.truncate((long) BLOCK * (version % 100));
          }
          Arrays.fill(bytes, (byte) version);
          if (version % 2 == 0) {
            file.write(ByteBuffer.wrap(bytes), 0);
          } else {
            file.writeDurably(
                ByteBuffer.allocateDirect(length + BLOCK)
                    .alignedSlice(BLOCK)
                    .limit(length)
                    .put(bytes)
                    .flip(),
                0);
          }
        }
      } finally {
        written.set(true);
      }
      for (Future<?> reader : readers) {
        Limit.get(reader);
      }
    }
  }

  /** A log that is written in blocks, here and there also by somebody else, is as in an array. */
  @Test
  void itHoldsWhatWasWrittenDurably() {
    Random random = new Random(2);
    byte[] model = new byte[200 * BLOCK];
    ByteBuffer blocks = ByteBuffer.allocateDirect(101 * BLOCK).alignedSlice(BLOCK);
    for (int opening = 0; opening < 4; opening++) {
      try (SealedMedium medium = open();
          MediumFile file =
              medium.exists("log") ? medium.openLog("log", DIRECT_DSYNC) : medium.create("log");
          MediumFile other = medium.open("log")) {
        int at = 0;
        for (int i = 0; i < 300; i++) {
          int count = random.nextInt(20) == 0 ? random.nextInt(50, 100) : random.nextInt(1, 4);
          if (at + count > 200) {
            at = 0; // as a segment that is used again
          }
          byte[] bytes = new byte[count * BLOCK];
          byte[] used = new byte[random.nextInt(bytes.length)];
          random.nextBytes(used);
          System.arraycopy(used, 0, bytes, 0, used.length);
          file.writeDurably(blocks.put(0, bytes).limit(bytes.length).slice(), (long) at * BLOCK);
          blocks.clear();
          System.arraycopy(bytes, 0, model, at * BLOCK, bytes.length);
          at += count;
          if (random.nextInt(10) == 0) {
            int place = random.nextInt(model.length - used.length);
            other.write(ByteBuffer.wrap(used), place);
            System.arraycopy(used, 0, model, place, used.length);
          }
        }
        byte[] found = new byte[(int) file.size()];
        assertThat(file.read(ByteBuffer.wrap(found), 0)).isEqualTo(found.length);
        assertThat(found).isEqualTo(Arrays.copyOf(model, found.length));
      }
    }
  }

  @Test
  void everyByteOfASectorIsAuthenticated() throws IOException {
    write(new byte[8192]);
    Path stored = temp.resolve("heap");
    byte[] bytes = Files.readAllBytes(stored);
    for (int at = SealedLayout.HEADER; at < SealedLayout.HEADER + SECTOR; at++) {
      byte[] changed = bytes.clone();
      changed[at] ^= 1;
      Files.write(stored, changed);
      assertThatThrownBy(() -> read(0, 1))
          .as("byte " + at)
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("heap was damaged or changed at byte 4096");
    }
  }

  @Test
  void aSectorIsRefusedInAnotherPlace() throws IOException {
    write(new byte[8192]);
    byte[] bytes = Files.readAllBytes(temp.resolve("heap"));
    int a = SealedLayout.HEADER;
    int b = SealedLayout.HEADER + SealedLayout.STORED;
    System.arraycopy(bytes, a, bytes, b, SECTOR);
    Files.write(temp.resolve("heap"), bytes);
    read(0, 1);
    assertThatThrownBy(() -> read(4096, 1)).isInstanceOf(CorruptException.class);
  }

  @Test
  void aSectorIsRefusedInAnotherFile() throws IOException {
    try (SealedMedium medium = open();
        MediumFile a = medium.create("heap");
        MediumFile b = medium.create("ring")) {
      a.write(ByteBuffer.allocate(4096), 0);
      b.write(ByteBuffer.allocate(4096), 0);
    }
    byte[] a = Files.readAllBytes(temp.resolve("heap"));
    byte[] b = Files.readAllBytes(temp.resolve("ring"));
    System.arraycopy(b, SealedLayout.HEADER, a, SealedLayout.HEADER, SealedLayout.STORED);
    Files.write(temp.resolve("heap"), a);
    assertThatThrownBy(() -> read(0, 1)).isInstanceOf(CorruptException.class);
  }

  @Test
  void aFileOfAnotherHeapIsRefused() throws IOException {
    write(new byte[4096]);
    Path other = temp.resolve("other");
    try (SealedMedium medium = SealedMedium.open(FileMedium.open(other, false, true), KEY)) {
      medium.create("heap").close();
    }
    Files.copy(
        other.resolve("heap"),
        temp.resolve("heap"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> read(0, 1))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("belongs to another heap");
  }

  /** Two writes of the same bytes, in one opening or two, in one place or two, look different. */
  @Test
  void noTwoSectorsHaveTheSameSaltAndCounter() throws IOException {
    java.util.Set<String> nonces = new java.util.HashSet<>();
    for (int opening = 0; opening < 3; opening++) {
      for (int write = 0; write < 3; write++) {
        write(new byte[10 * 4096]);
        byte[] bytes = Files.readAllBytes(temp.resolve("heap"));
        for (int at = SealedLayout.HEADER; at < bytes.length; at += SECTOR) {
          String nonce =
              Words.get(bytes, at)
                  + " "
                  + Words.get(bytes, at + 8)
                  + " "
                  + Words.get(bytes, at + 16);
          assertThat(nonces.add(nonce)).as(nonce).isTrue();
        }
      }
    }
  }

  @Test
  void aRewrittenSectorHasANewNonceInOneOpening() throws IOException {
    java.util.Set<Long> counters = new java.util.HashSet<>();
    try (SealedMedium medium = open();
        MediumFile file = medium.create("heap")) {
      for (int i = 0; i < 100; i++) {
        file.write(ByteBuffer.allocate(1), 0);
        byte[] bytes = Files.readAllBytes(temp.resolve("heap"));
        assertThat(counters.add(Words.get(bytes, SealedLayout.HEADER + SealedLayout.COUNTER)))
            .isTrue();
      }
    }
  }

  private void write(byte[] contents) {
    try (SealedMedium medium = open();
        MediumFile file = medium.exists("heap") ? medium.open("heap") : medium.create("heap")) {
      file.write(ByteBuffer.wrap(contents), 0);
    }
  }

  private void read(long position, int length) {
    try (SealedMedium medium = open();
        MediumFile file = medium.open("heap")) {
      file.read(ByteBuffer.allocate(length), position);
    }
  }

  /** Kernels do not promise that a read sees all of a write of another process, or nothing. */
  @Test
  void whoOnlyReadsReadsASectorAgainThatIsBeingWritten(@TempDir Path place) {
    byte[] contents = new byte[8192];
    new Random(4).nextBytes(contents);
    KeyProvider key = KeyProvider.of(new byte[32]);
    try (Medium medium = SealedMedium.open(FileMedium.open(place, false, true), key);
        MediumFile file = medium.create("f")) {
      file.write(ByteBuffer.wrap(contents), 0);
    }
    int[] torn = {3};
    try (Medium medium = SealedMedium.open(torn(FileMedium.watch(place), torn), key);
        MediumFile file = medium.open("f")) {
      byte[] found = new byte[8192];
      file.read(ByteBuffer.wrap(found), 0);
      assertThat(found).isEqualTo(contents);
      assertThat(torn[0]).isZero();
    }
  }

  /** A medium whose first reads of contents each see another byte wrong in a sector. */
  private static Medium torn(Medium medium, int[] times) {
    return proxy(
        Medium.class,
        medium,
        (result, arguments) ->
            result instanceof MediumFile file
                ? proxy(MediumFile.class, file, (read, given) -> tear(read, given, times))
                : result);
  }

  private static Object tear(Object result, Object[] arguments, int[] times) {
    if (result instanceof Integer read
        && arguments[0] instanceof ByteBuffer bytes
        && (long) arguments[1] >= 4096
        && read > 0
        && times[0] > 0) {
      times[0]--;
      int at = bytes.position() - read + 100 + times[0];
      bytes.put(at, (byte) (bytes.get(at) ^ 1));
    }
    return result;
  }

  private static <T> T proxy(
      Class<T> type, T target, BiFunction<Object, Object[], Object> afterwards) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Object result = method.invoke(target, arguments);
              return result == null || arguments == null
                  ? result
                  : afterwards.apply(result, arguments);
            }));
  }
}
