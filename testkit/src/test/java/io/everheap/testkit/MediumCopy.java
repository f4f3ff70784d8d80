package io.everheap.testkit;

import io.everheap.memory.MediumFile;
import io.everheap.testkit.machine.Page;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.List;

/** A heap that is moved to another medium, as with {@code cp}. */
final class MediumCopy {
  private MediumCopy() {}

  /** Copies all files of a heap but its lock. */
  static void copy(SimulatedMedium from, SimulatedMedium to) {
    copy(from, to, false);
  }

  /** The same, with holes in place of pages of zeros. */
  static void copySparsely(SimulatedMedium from, SimulatedMedium to) {
    copy(from, to, true);
  }

  private static void copy(SimulatedMedium from, SimulatedMedium to, boolean sparsely) {
    for (String directory : List.of("", "log")) {
      for (String name : from.list(directory)) {
        String path = directory.isEmpty() ? name : directory + "/" + name;
        if (!path.equals("log") && !path.equals("lock") && !path.equals("owner")) {
          copy(from, to, path, sparsely);
        }
      }
    }
  }

  private static void copy(
      SimulatedMedium from, SimulatedMedium to, String name, boolean sparsely) {
    try (MediumFile source = from.open(name);
        MediumFile target = to.create(name)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect((int) source.size());
      source.read(bytes, 0);
      bytes.flip();
      target.truncate(bytes.limit());
      for (int at = 0; at < bytes.limit(); at += Page.SIZE) {
        ByteBuffer page = bytes.slice(at, Math.min(Page.SIZE, bytes.limit() - at));
        if (!sparsely || page.mismatch(ByteBuffer.allocate(page.limit())) >= 0) {
          target.write(page, at);
        }
      }
    }
  }
}
