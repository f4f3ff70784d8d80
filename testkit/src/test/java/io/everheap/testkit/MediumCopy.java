package io.everheap.testkit;

import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.util.List;

/** A heap that is moved to another medium, as with {@code cp}. */
final class MediumCopy {
  private MediumCopy() {}

  /** Copies all files of a heap but its lock. */
  static void copy(SimulatedMedium from, SimulatedMedium to) {
    for (String directory : List.of("", "log")) {
      for (String name : from.list(directory)) {
        String path = directory.isEmpty() ? name : directory + "/" + name;
        if (!path.equals("log") && !path.equals("lock") && !path.equals("owner")) {
          copy(from, to, path);
        }
      }
    }
  }

  private static void copy(SimulatedMedium from, SimulatedMedium to, String name) {
    try (MediumFile source = from.open(name);
        MediumFile target = to.create(name)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect((int) source.size());
      source.read(bytes, 0);
      target.write(bytes.flip(), 0);
    }
  }
}
