package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.journal.AppendLoop;
import io.everheap.benchmarks.journal.Text;
import io.mashona.logwriting.AppendOnlyLogImpl;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The append-only log of mashona, in strict order and without padding: each record with its length
 * and checksum, forced once.
 *
 * <p>Its memory is emulated like that of the other cases: the buffer of a file in memory is told
 * that it is persistent memory, so that its {@code force} writes back cache lines and fences, as
 * the JDK does for {@code READ_WRITE_SYNC}.
 */
public final class MashonaLoop implements AppendLoop {
  private static final int FRAME = 8;

  private final AppendOnlyLogImpl log;

  /** Makes a log for so many records. */
  public MashonaLoop(Path directory, long records) throws IOException {
    int size = Math.toIntExact(Math.min(Integer.MAX_VALUE & -4096, 4096 + records * most(records)));
    try (FileChannel file =
        FileChannel.open(
            directory.resolve("mashona.log"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      log =
          new AppendOnlyLogImpl(
              persistent(file.map(MapMode.READ_WRITE, 0, size)), 0, size, false, true);
    }
  }

  private static long most(long records) {
    return (Text.record(records).length + FRAME + 3L) & -4;
  }

  private static MappedByteBuffer persistent(MappedByteBuffer buffer) throws IOException {
    try {
      Field field = MappedByteBuffer.class.getDeclaredField("isSync");
      field.setAccessible(true);
      field.setBoolean(buffer, true);
      return buffer;
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IOException("this JDK cannot emulate persistent memory for mashona", e);
    }
  }

  @Override
  public void prepare() {
    log.clear();
  }

  @Override
  public void append(long records) {
    for (long i = 0; i < records; i++) {
      log.put(Text.record(i));
    }
  }

  @Override
  public void close() {
    // the process ends
  }
}
