package io.everheap.it.crash;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Files that show whether a power cut is one: what was not synced must be gone, or nothing that the
 * heaps keep proves anything; what was synced must be there.
 */
final class Control {
  /** Pages written to a new file, never synced. */
  static final int WRITTEN = 0;

  /** Pages stored to through a mapping of an old file, not forced. */
  static final int STORED = 1;

  /** Pages stored to through a mapping of an old file, and forced. */
  static final int FORCED = 2;

  private static final int PAGE = 4096;
  private static final int PAGES = 64;
  private static final int BYTES = PAGES * PAGE;

  private final Path directory;
  private final int run;

  /** Prepares the control of a run. */
  Control(Path directory, int run) {
    this.directory = directory;
    this.run = run;
  }

  /**
   * Tells what a power cut left of control files.
   *
   * @param of the run that wrote them; -1: none
   */
  void check(int of, Consumer<Ack> acks) throws IOException {
    if (of >= 0) {
      acks.accept(lost(WRITTEN, directory.resolve("written-" + of), of));
      acks.accept(lost(STORED, directory.resolve("stored"), of));
      acks.accept(lost(FORCED, directory.resolve("forced"), of));
    }
  }

  private Ack lost(int which, Path file, int of) throws IOException {
    byte[] found = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    int kept = 0;
    for (int page = 0; page < PAGES; page++) {
      kept += holds(found, page, pattern(of)) ? 1 : 0;
    }
    return new Ack(Ack.Kind.LOST, which, PAGES - kept, PAGES);
  }

  private static boolean holds(byte[] bytes, int page, byte pattern) {
    for (int i = page * PAGE; i < (page + 1) * PAGE; i++) {
      if (i >= bytes.length || bytes[i] != pattern) {
        return false;
      }
    }
    return true;
  }

  private static byte pattern(int run) {
    return (byte) (run % 100 + 1);
  }

  /** Makes the files that the stores will go to, durable and empty. */
  void prepare() throws IOException {
    Files.createDirectories(directory);
    for (String name : new String[] {"stored", "forced"}) {
      try (var file =
          FileChannel.open(
              directory.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        file.write(ByteBuffer.allocate(BYTES), 0);
        file.force(true);
      }
    }
    try (var opened = FileChannel.open(directory, StandardOpenOption.READ)) {
      opened.force(true);
    }
  }

  /** Writes what the next run checks. */
  void write() throws IOException {
    Path file = directory.resolve("written-" + run);
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, pattern(run));
    Files.write(file, bytes);
    store("stored", false);
    store("forced", true);
  }

  private void store(String name, boolean force) throws IOException {
    try (var file =
            FileChannel.open(
                directory.resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment mapping = file.map(MapMode.READ_WRITE, 0, BYTES, arena);
      for (long i = 0; i < BYTES; i++) {
        mapping.set(ValueLayout.JAVA_BYTE, i, pattern(run));
      }
      if (force) {
        mapping.force();
      }
    }
  }
}
