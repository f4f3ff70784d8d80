package io.everheap.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.memory.NewFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A new file of lines, which only its owner may read. Lines are durable after {@link #sync}; those
 * written since {@link #mark} can be taken back. An empty file is deleted by {@link #close}. For
 * one thread.
 */
final class SetAsideFile implements AutoCloseable {
  private static final int BUFFERED = 1 << 16;

  private final Path path;
  private final FileChannel channel;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private long mark;

  private SetAsideFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Creates the file, whose name is durable on return.
   *
   * @throws RefusedException if it exists
   */
  static SetAsideFile create(Path path) throws IOException {
    try {
      NewFiles.createFile(path);
    } catch (FileAlreadyExistsException e) {
      throw exists(path);
    }
    NewFiles.syncParent(path);
    return new SetAsideFile(path, FileChannel.open(path, StandardOpenOption.WRITE));
  }

  static RefusedException exists(Path path) {
    return new RefusedException(path + " exists; nothing was changed");
  }

  /** Lines that follow can be taken back. All lines before were made durable or taken back. */
  void mark() throws IOException {
    mark = channel.position();
  }

  void write(String line) throws IOException {
    buffer.writeBytes((line + '\n').getBytes(UTF_8));
    if (buffer.size() >= BUFFERED) {
      flush();
    }
  }

  private void flush() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(buffer.toByteArray());
    buffer.reset();
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Makes all lines durable. */
  void sync() throws IOException {
    flush();
    channel.force(true);
  }

  /** Takes back the lines that were written since {@link #mark}. */
  void takeBack() throws IOException {
    buffer.reset();
    channel.truncate(mark);
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      if (channel.size() == 0) {
        Files.delete(path);
      }
    }
  }
}
