package io.everheap.benchmarks.medium;

import io.everheap.error.MediumException;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** A file whose shared mappings are {@link EmulatedDaxRegion}s; all else is the ordinary file's. */
final class EmulatedDaxFile implements MediumFile {
  private final MediumFile file;
  private final Path path;

  EmulatedDaxFile(MediumFile file, Path path) {
    this.file = file;
    this.path = path;
  }

  @Override
  public Region map(Mapping mapping, long position, long size) {
    if (mapping != Mapping.SHARED) {
      return file.map(mapping, position, size);
    }
    if (file.size() < position + size) {
      file.truncate(position + size);
    }
    Arena arena = Arena.ofShared();
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new EmulatedDaxRegion(channel.map(MapMode.READ_WRITE, position, size, arena), arena);
    } catch (IOException e) {
      arena.close();
      throw new MediumException(
          String.format(Locale.ROOT, "cannot map %s at %d, %d bytes: %s", path, position, size, e),
          e);
    }
  }

  @Override
  public String name() {
    return file.name();
  }

  @Override
  public long size() {
    return file.size();
  }

  @Override
  public void truncate(long size) {
    file.truncate(size);
  }

  @Override
  public int read(ByteBuffer target, long position) {
    return file.read(target, position);
  }

  @Override
  public void write(ByteBuffer source, long position) {
    file.write(source, position);
  }

  @Override
  public void sync() {
    file.sync();
  }

  @Override
  public void writeDurably(ByteBuffer source, long position) {
    file.writeDurably(source, position);
  }

  @Override
  public DurableWrite durableWrite() {
    return file.durableWrite();
  }

  @Override
  public void close() {
    file.close();
  }
}
