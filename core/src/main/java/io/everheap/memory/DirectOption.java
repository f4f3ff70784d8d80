package io.everheap.memory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Channels for durable writes that bypass the page cache ({@code O_DIRECT}), which not every file
 * system supports. Stateless.
 *
 * <p>The option is found by reflection: the compiler warns about its package, and a runtime image
 * may lack its module.
 */
final class DirectOption {
  private static final OpenOption[] OPTIONS = options();

  private DirectOption() {}

  /** Opens a channel whose writes are direct and durable. */
  static SteadyChannel open(Path path) throws IOException {
    return SteadyChannel.open(path, OPTIONS);
  }

  /** Tries to open and read: file systems refuse the option at one of the two. */
  static boolean works(Path path) {
    try {
      if (OPTIONS.length == 0 || Files.getFileStore(path).getBlockSize() > MediumFile.BLOCK) {
        return false;
      }
      try (Arena arena = Arena.ofShared();
          var channel = open(path)) {
        channel.read(arena.allocate(MediumFile.BLOCK, MediumFile.BLOCK).asByteBuffer(), 0);
        return true;
      }
    } catch (AccessDeniedException | NoSuchFileException e) {
      throw Failures.of("open", path, e);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static OpenOption[] options() {
    try {
      Object direct =
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getField("DIRECT").get(null);
      return new OpenOption[] {
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DSYNC,
        (OpenOption) direct
      };
    } catch (ReflectiveOperationException e) {
      return new OpenOption[0];
    }
  }
}
