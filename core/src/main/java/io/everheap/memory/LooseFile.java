package io.everheap.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A small file beside the files of a heap on which nothing depends: it is never synced, and who
 * deletes, replaces or truncates it disturbs nothing. Other processes read it while it is written.
 * For one thread.
 */
public final class LooseFile implements AutoCloseable {
  private final Path path;
  private final SteadyChannel channel;

  private LooseFile(Path path, SteadyChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** Makes the file under another name, writes it, and renames it: no reader sees a part of it. */
  static LooseFile create(Path path, ByteBuffer content) {
    Path unfinished = path.resolveSibling(path.getFileName() + ".new");
    try {
      Files.deleteIfExists(unfinished);
      NewFiles.createFile(unfinished);
      SteadyChannel channel =
          SteadyChannel.open(unfinished, StandardOpenOption.READ, StandardOpenOption.WRITE);
      boolean done = false;
      try {
        channel.write(content, 0);
        Files.move(
            unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        done = true;
        return new LooseFile(path, channel);
      } finally {
        if (!done) {
          channel.close();
          Files.deleteIfExists(unfinished);
        }
      }
    } catch (IOException e) {
      throw Failures.of("create", path, e);
    }
  }

  /** Whether there is a file of this name; perhaps another one. */
  public boolean exists() {
    return Files.exists(path);
  }

  /** Writes the buffer at a position. */
  public void write(ByteBuffer source, long position) {
    try {
      channel.write(source, position);
    } catch (IOException e) {
      throw Failures.of("write", path, e);
    }
  }

  /** Closes and deletes the file. */
  @Override
  public void close() {
    try (channel) {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw Failures.of("delete", path, e);
    }
  }
}
