package io.everheap.memory.crypt;

import static io.everheap.memory.crypt.SealedLayout.BLOCK;
import static io.everheap.memory.crypt.SealedLayout.HEADER;
import static io.everheap.memory.crypt.SealedLayout.PAYLOAD;
import static io.everheap.memory.crypt.SealedLayout.SECTOR;
import static io.everheap.memory.crypt.SealedLayout.STORED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.RecordedMedium;
import io.everheap.memory.Region;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Encrypted files that another process changes or cuts while they are read. */
class SealedChangesTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);

  private final RecordedMedium files = new RecordedMedium();

  /** What happens before the next reads of contents. */
  private final Deque<Runnable> beforeReads = new ArrayDeque<>();

  private byte[] create(int blocks) {
    byte[] contents = new byte[blocks * BLOCK];
    new Random(blocks).nextBytes(contents);
    try (SealedMedium medium = SealedMedium.open(files.open(), KEY);
        MediumFile file = medium.create("f")) {
      file.write(ByteBuffer.wrap(contents), 0);
    }
    return contents;
  }

  private void cut(int blocks) {
    files.put("f", Arrays.copyOf(files.bytes("f"), HEADER + blocks * STORED));
  }

  private void flip(int sector) {
    byte[] stored = files.bytes("f");
    stored[HEADER + sector * SECTOR + 60] ^= 1;
    files.put("f", stored);
  }

  private SealedMedium open() {
    files.readOnly(true);
    return SealedMedium.open(hooked(), KEY);
  }

  /** Reads of contents come after what another process does. */
  private Medium hooked() {
    Medium medium = files.open();
    return proxy(
        Medium.class,
        medium,
        (method, arguments, result) ->
            result instanceof MediumFile file
                ? proxy(MediumFile.class, file, this::changed)
                : result);
  }

  private interface After {
    Object apply(String method, Object[] arguments, Object result) throws Exception;
  }

  /** Reads the file as it is after the change, under its name, since it is put again. */
  private Object changed(String method, Object[] arguments, Object result) {
    if (method.equals("read") && (long) arguments[1] >= HEADER && !beforeReads.isEmpty()) {
      beforeReads.remove().run();
      ByteBuffer target = (ByteBuffer) arguments[0];
      int read = (int) result;
      byte[] stored = files.bytes("f");
      int position = (int) (long) arguments[1];
      int length = Math.max(0, Math.min(read, stored.length - position));
      target.position(target.position() - read);
      target.put(stored, position < stored.length ? position : 0, length);
      return length;
    }
    return result;
  }

  private static <T> T proxy(Class<T> type, T target, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(target, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              return arguments == null ? result : after.apply(method.getName(), arguments, result);
            }));
  }

  private static byte[] read(MediumFile file, int from, int length) {
    byte[] bytes = new byte[length];
    assertThat(file.read(ByteBuffer.wrap(bytes), from)).isEqualTo(length);
    return bytes;
  }

  @Test
  void whatWasCutOffMeanwhileReadsAsZeros() {
    byte[] contents = create(3);
    try (SealedMedium medium = open();
        MediumFile file = medium.open("f")) {
      assertThat(read(file, 0, contents.length)).isEqualTo(contents);
      beforeReads.add(() -> cut(1));
      byte[] expected = Arrays.copyOf(Arrays.copyOf(contents, BLOCK), contents.length);
      assertThat(read(file, 0, contents.length)).isEqualTo(expected);
    }
  }

  /** A sector that cannot be read is read again: it may have been in the middle of a write. */
  @Test
  void aSectorThatWasCutOffBeforeItIsReadAgainIsZeros() {
    byte[] contents = create(2);
    try (SealedMedium medium = open();
        MediumFile file = medium.open("f")) {
      beforeReads.add(() -> flip(9));
      beforeReads.add(() -> cut(1));
      byte[] expected = new byte[BLOCK];
      System.arraycopy(contents, BLOCK + PAYLOAD, expected, PAYLOAD, BLOCK - PAYLOAD);
      assertThat(read(file, BLOCK, BLOCK)).isEqualTo(expected);
      assertThat(beforeReads).isEmpty();
    }
  }

  @Test
  void aSectorThatDoesNotChangeIsReadAgainOnce() {
    create(2);
    flip(9);
    try (SealedMedium medium = open();
        MediumFile file = medium.open("f")) {
      int[] reads = {0};
      beforeReads.add(() -> reads[0]++);
      beforeReads.add(() -> reads[0]++);
      beforeReads.add(() -> reads[0]++);
      assertThatThrownBy(() -> read(file, BLOCK, 10)).isInstanceOf(CorruptException.class);
      assertThat(reads[0]).isEqualTo(2);
    }
  }

  private static long mappedZeros() throws IOException {
    return Files.readString(Path.of("/proc/self/maps"))
        .lines()
        .filter(l -> l.contains(".zeros"))
        .count();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aMappingThatCannotBeReadLeavesNoMemory() throws IOException {
    create(600);
    flip(9 * 500);
    files.readOnly(false);
    try (SealedMedium medium = SealedMedium.open(files.open(), KEY);
        MediumFile file = medium.open("f")) {
      long before = mappedZeros();
      try (Region region = file.map(Mapping.SHARED, 0, 400 * BLOCK)) {
        assertThat(region.size()).isEqualTo(400 * BLOCK);
        assertThat(mappedZeros()).isEqualTo(before + 1);
      }
      assertThat(mappedZeros()).isEqualTo(before);
      assertThatThrownBy(() -> file.map(Mapping.SHARED, 0, 600 * BLOCK))
          .isInstanceOf(CorruptException.class);
      assertThat(mappedZeros()).isEqualTo(before);
    }
  }
}
