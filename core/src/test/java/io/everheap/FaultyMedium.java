package io.everheap;

import io.everheap.error.MediumException;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Ordinary files, one of whose syncs or durable writes fails. */
final class FaultyMedium implements Medium {
  /** What the operation that fails has done. */
  enum Fault {
    /** Nothing arrived. */
    LOST,
    /** All arrived, but nobody was told. */
    ARRIVED
  }

  private static final long SUPERBLOCKS = 2L * MediumFile.BLOCK;

  private final Medium medium;
  private final Fault fault;
  private final AtomicLong left = new AtomicLong(Long.MAX_VALUE);
  private volatile String which = "";
  private final AtomicLong changes = new AtomicLong();
  private final AtomicReference<@Nullable Moment> moment = new AtomicReference<>();

  /** Something to do behind the next operation that begins so. */
  private record Moment(String operations, Runnable action) {}

  FaultyMedium(Path directory, Fault fault) {
    this.medium = FileMedium.open(directory, false, true);
    this.fault = fault;
  }

  /** Lets the n-th sync or durable write from now fail, counted from 1. */
  FaultyMedium failAt(long n) {
    return failAt(n, "");
  }

  /** The same of those that begin so: "sync heap", "write log/", "sync directory". */
  FaultyMedium failAt(long n, String operations) {
    which = operations;
    left.set(n);
    return this;
  }

  /** Runs an action behind the next such operation: "write pages", "write log/0", "sync heap". */
  void afterNext(String operations, Runnable action) {
    moment.set(new Moment(operations, action));
  }

  private void done(String description) {
    Moment next = moment.get();
    if (next != null
        && description.startsWith(next.operations)
        && moment.compareAndSet(next, null)) {
      next.action.run();
    }
  }

  void failNoMore() {
    left.set(Long.MAX_VALUE);
  }

  /** Whether the failure has happened. */
  boolean failed() {
    return left.get() <= 0;
  }

  /** Changes of files so far, except through mappings. */
  long changes() {
    return changes.get();
  }

  private void durably(String description, Runnable operation) {
    changes.incrementAndGet();
    if (description.startsWith(which) && left.decrementAndGet() == 0) {
      if (fault == Fault.ARRIVED) {
        operation.run();
      }
      throw new MediumException(
          "cannot " + description + " of " + location() + ": made up", new IOException("made up"));
    }
    operation.run();
    done(description);
  }

  private final class FaultyFile implements MediumFile {
    private final MediumFile file;

    FaultyFile(MediumFile file) {
      this.file = file;
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
      changes.incrementAndGet();
      file.truncate(size);
    }

    @Override
    public int read(ByteBuffer target, long position) {
      return file.read(target, position);
    }

    @Override
    public void write(ByteBuffer source, long position) {
      changes.incrementAndGet();
      file.write(source, position);
      boolean page = name().equals("heap") && position >= SUPERBLOCKS;
      done(page ? "write pages" : "write " + name());
    }

    @Override
    public void sync() {
      durably("sync " + name(), file::sync);
    }

    @Override
    public void writeDurably(ByteBuffer source, long position) {
      durably("write " + name(), () -> file.writeDurably(source, position));
    }

    @Override
    public DurableWrite durableWrite() {
      return file.durableWrite();
    }

    @Override
    public Region map(Mapping mapping, long position, long size) {
      return file.map(mapping, position, size);
    }

    @Override
    public void close() {
      file.close();
    }
  }

  @Override
  public String name() {
    return medium.name();
  }

  @Override
  public String location() {
    return medium.location();
  }

  @Override
  public boolean byteAddressable() {
    return medium.byteAddressable();
  }

  @Override
  public boolean readOnly() {
    return medium.readOnly();
  }

  @Override
  public String incarnation() {
    return medium.incarnation();
  }

  @Override
  public boolean exists(String name) {
    return medium.exists(name);
  }

  @Override
  public List<String> list(String directory) {
    return medium.list(directory);
  }

  @Override
  public MediumFile create(String name) {
    changes.incrementAndGet();
    return new FaultyFile(medium.create(name));
  }

  @Override
  public MediumFile open(String name) {
    return new FaultyFile(medium.open(name));
  }

  @Override
  public MediumFile openLog(String name, DurableWrite how) {
    return new FaultyFile(medium.openLog(name, how));
  }

  @Override
  public void rename(String from, String to) {
    changes.incrementAndGet();
    medium.rename(from, to);
  }

  @Override
  public void delete(String name) {
    changes.incrementAndGet();
    medium.delete(name);
  }

  @Override
  public void syncDirectory(String directory) {
    durably("sync directory " + directory, () -> medium.syncDirectory(directory));
  }

  @Override
  public DurableWrite probeDurableWrite() {
    return medium.probeDurableWrite();
  }

  @Override
  public void close() {
    medium.close();
  }
}
