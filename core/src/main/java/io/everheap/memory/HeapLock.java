package io.everheap.memory;

import io.everheap.error.EverheapException;
import io.everheap.error.HeapLockedException;
import io.everheap.error.MediumException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a heap: one writer, or any number of processes that read.
 *
 * <h2>Two levels</h2>
 *
 * Between processes the lock is a lock of the operating system on the file {@code lock}. POSIX
 * drops all such locks of a process as soon as it closes <em>any</em> descriptor of the file, so
 * within a process the file may be opened once only: a registry is asked first. It is keyed by the
 * identity of the directory, so that other spellings and symbolic links lead to the same entry, and
 * lives in the system properties, so that it spans class loaders. One process opens a heap once,
 * also for reading.
 *
 * <h2>The lock file</h2>
 *
 * It is opened only to be locked, never deleted, and has no content. If the path names another file
 * once the lock is held (the directory was restored from a backup, say), the lock guards nothing
 * and is taken again on the new file. A reader creates nothing: without a lock file it goes ahead.
 *
 * <h2>The owner</h2>
 *
 * The file {@code owner} names the writing process, for messages only. It means something only
 * while the lock is held, so what a killed process leaves there is harmless.
 */
final class HeapLock implements AutoCloseable {
  static final String LOCK_FILE = "lock";
  static final String OWNER_FILE = "owner";

  private static final String REGISTRY = "io.everheap.open.";
  private static final int ATTEMPTS = 100;

  /** Channels that must stay open, because closing them would drop a lock that others rely on. */
  private static final List<FileChannel> NEVER_CLOSED = new ArrayList<>();

  private final Path directory;
  private final String key;
  private final String ticket;
  private final @Nullable FileChannel channel;
  private final boolean shared;
  private boolean closed;

  private HeapLock(
      Path directory, String key, String ticket, @Nullable FileChannel channel, boolean shared) {
    this.directory = directory;
    this.key = key;
    this.ticket = ticket;
    this.channel = channel;
    this.shared = shared;
  }

  /**
   * Takes the lock without waiting.
   *
   * @param directory the real path of the heap
   * @param shared whether to only read
   * @throws HeapLockedException if this process or another one holds it
   * @throws MediumException if the lock file cannot be used
   */
  static HeapLock acquire(Path directory, boolean shared) {
    String key = REGISTRY + identity(directory);
    String ticket = System.nanoTime() + " " + ThreadLocalRandom.current().nextLong();
    if (System.getProperties().putIfAbsent(key, ticket) != null) {
      throw openHere(directory);
    }
    boolean locked = false;
    try {
      Optional<FileChannel> channel = OwnThread.run("everheap-lock", () -> lock(directory, shared));
      locked = true;
      if (!shared) {
        announce(directory);
      }
      return new HeapLock(directory, key, ticket, channel.orElse(null), shared);
    } catch (IOException e) {
      throw Failures.of("lock", directory.resolve(LOCK_FILE), e);
    } finally {
      if (!locked) {
        System.getProperties().remove(key, ticket);
      }
    }
  }

  /** Releases the lock; idempotent. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    Path file = directory.resolve(shared ? LOCK_FILE : OWNER_FILE);
    try {
      if (!shared) {
        Files.deleteIfExists(file);
      }
      if (channel != null) {
        channel.close(); // releases the lock
      }
    } catch (IOException e) {
      throw Failures.of("release", file, e);
    } finally {
      closeQuietly(channel);
      System.getProperties().remove(key, ticket);
    }
  }

  /** Returns a channel that holds the lock, or none if there is nothing to lock. */
  private static Optional<FileChannel> lock(Path directory, boolean shared) throws IOException {
    Path file = directory.resolve(LOCK_FILE);
    for (int i = 0; i < ATTEMPTS; i++) {
      String before = identity(file);
      if (before.isEmpty()) {
        if (shared) {
          return Optional.empty();
        }
        create(file);
        continue;
      }
      FileChannel channel;
      try {
        channel = open(file, shared);
      } catch (NoSuchFileException e) {
        continue; // deleted since, so look again
      }
      boolean keep = false;
      try {
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
        if (lock == null) {
          throw openElsewhere(directory);
        }
        if (before.equals(identity(file))) {
          keep = true;
          return Optional.of(channel);
        }
      } catch (OverlappingFileLockException e) {
        // Somebody in this JVM locked the file without the registry: leave their lock intact.
        keep = true;
        synchronized (NEVER_CLOSED) {
          NEVER_CLOSED.add(channel);
        }
        throw openHere(directory);
      } finally {
        if (!keep) {
          channel.close();
        }
      }
    }
    throw new MediumException(
        "cannot lock " + file + ": something keeps replacing or deleting it", null);
  }

  private static FileChannel open(Path file, boolean shared) throws IOException {
    return shared
        ? FileChannel.open(file, StandardOpenOption.READ)
        : FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static void create(Path file) throws IOException {
    try {
      OwnerOnly.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // Another process was faster: lock what it made.
    }
  }

  /** Device and inode where the file system has them, else the path; empty if nothing is there. */
  private static String identity(Path path) {
    try {
      Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return key == null ? path.toString() : key.toString();
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException e) {
      throw Failures.of("identify", path, e);
    }
  }

  /** Writes the pid for messages; a full disk must not keep a heap from being opened. */
  private static void announce(Path directory) {
    Path owner = directory.resolve(OWNER_FILE);
    try {
      Files.deleteIfExists(owner);
      OwnerOnly.createFile(owner);
      Files.writeString(owner, ProcessHandle.current().pid() + "\n");
    } catch (IOException e) {
      closeQuietly(() -> Files.deleteIfExists(owner));
    }
  }

  private static EverheapException openHere(Path directory) {
    long pid = ProcessHandle.current().pid();
    return new HeapLockedException(
        directory
            + " is already open in this process ("
            + pid
            + "); share that heap, or close it first",
        OptionalLong.of(pid));
  }

  private static EverheapException openElsewhere(Path directory) {
    OptionalLong pid = owner(directory);
    return new HeapLockedException(
        directory
            + " is already open in "
            + (pid.isPresent()
                ? "process " + pid.getAsLong()
                : "another process, which does not say its id")
            + "; close it there or stop that process",
        pid);
  }

  private static OptionalLong owner(Path directory) {
    try (InputStream in = Files.newInputStream(directory.resolve(OWNER_FILE))) {
      String text = new String(in.readNBytes(32), StandardCharsets.US_ASCII);
      long pid = Long.parseLong(text.strip());
      // A process that was killed leaves its pid behind, and readers do not announce themselves.
      return ProcessHandle.of(pid).isPresent() ? OptionalLong.of(pid) : OptionalLong.empty();
    } catch (IOException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static void closeQuietly(@Nullable AutoCloseable closeable) {
    try {
      if (closeable != null) {
        closeable.close();
      }
    } catch (Exception e) {
      // The first failure is the one to report.
    }
  }
}
