package io.everheap.memory;

import io.everheap.error.EverheapException;
import io.everheap.error.LockedException;
import io.everheap.error.MediumException;
import io.everheap.files.FileChecks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
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
 * <h2>Three levels</h2>
 *
 * Within a process, a registry keeps a heap from being opened twice. Its key is the identity of the
 * directory, so that different paths and symbolic links lead to the same entry; it is kept in the
 * system properties, so that it spans class loaders.
 *
 * <p>Between processes, the lock is a lock of the operating system on the file {@code lock}, which
 * ends with the process. It can be lost silently: POSIX drops it when the process closes
 * <em>any</em> descriptor of the file, as a copy of the directory does; and if the file is deleted,
 * the next process locks a new file of that name. So {@link #renew} takes the lock again
 * periodically. It has two parts, of which one is always held meanwhile.
 *
 * <p>If the lock is lost, the file {@code owner} keeps other processes out until the lock is
 * renewed: it names the writing process, and a process that gets the lock while the named process
 * certainly runs, on the same directory, refuses to open. The entry of a killed process, or of
 * another boot or container, is ignored. If another process opens the heap nevertheless, for
 * example on another machine, it writes itself into that file, and the first process detects that
 * before it writes a superblock or begins a segment ({@link #requireOwned}).
 *
 * <h2>The lock file</h2>
 *
 * It is opened only for locking, deleted only with the heap, and has no contents. If the path leads
 * to another file when the lock is held (for example, the directory was restored from a backup),
 * the lock has no effect and is taken again on the new file. A reader creates nothing: without a
 * lock file it reads without a lock.
 *
 * <p>Thread-safe.
 */
final class HeapLock implements AutoCloseable {
  static final String LOCK_FILE = "lock";
  static final String OWNER_FILE = "owner";

  private static final String REGISTRY = "io.everheap.open.";

  /** Tells this class from the same class of another loader. */
  private static final String COPY =
      System.nanoTime() + "-" + ThreadLocalRandom.current().nextLong();

  private static final int MAX_ATTEMPTS = 100;

  /**
   * Pause between attempts, for example while a killed process ends, which drops its lock first.
   */
  private static final long PAUSE_MILLIS = 10;

  /** Channels that stay open, because closing them would drop a lock of other code in this JVM. */
  private static final List<FileChannel> NEVER_CLOSED = new ArrayList<>();

  /** The borders of the locked parts of the lock file. */
  private static final long[] PARTS = {0, 1, Long.MAX_VALUE};

  /** A locked file: its channel, its identity, and a lock for each part. */
  private static final class Held {
    final FileChannel channel;
    final String key;
    final FileLock[] parts;

    Held(FileChannel channel, String key, FileLock... parts) {
      this.channel = channel;
      this.key = key;
      this.parts = parts;
    }
  }

  private final Path directory;
  private final String key;
  private final String ticket;
  private final boolean shared;
  private @Nullable Held held;
  private final @Nullable Owner owner;
  private boolean closed;

  private HeapLock(
      Path directory,
      String key,
      String ticket,
      @Nullable Held held,
      boolean shared,
      @Nullable Owner owner) {
    this.directory = directory;
    this.key = key;
    this.ticket = ticket;
    this.held = held;
    this.shared = shared;
    this.owner = owner;
  }

  /**
   * Takes the lock without waiting.
   *
   * @param directory the real path of the heap
   * @param shared whether the heap is opened for reading only
   * @throws LockedException if this process or another one holds it
   * @throws MediumException if the lock file cannot be used
   */
  static HeapLock acquire(Path directory, boolean shared) {
    String identity = identity(directory);
    String key = REGISTRY + identity;
    String ticket = COPY + " " + ThreadLocalRandom.current().nextLong();
    Object other = System.getProperties().putIfAbsent(key, ticket);
    if (other != null) {
      throw other.toString().startsWith(COPY + " ")
          ? openHere(directory)
          : openInOtherLoader(directory);
    }
    boolean locked = false;
    try {
      Optional<Held> held =
          Threads.run("everheap-lock", () -> lockUnlessOwned(directory, shared, identity));
      locked = true;
      Owner owner = shared ? null : announce(directory, Owner.here(identity));
      return new HeapLock(directory, key, ticket, held.orElse(null), shared, owner);
    } catch (IOException e) {
      throw refusedToWrite(directory, shared, e);
    } finally {
      if (!locked) {
        System.getProperties().remove(key, ticket);
      }
    }
  }

  /** The exception for a lock file that cannot be written; explains a read-only directory. */
  private static EverheapException refusedToWrite(Path directory, boolean shared, IOException e) {
    boolean denied =
        e instanceof AccessDeniedException
            || String.valueOf(e.getMessage()).contains("Read-only file system")
            || isReadOnly(directory);
    if (shared || !denied) {
      return Failures.of("lock", directory.resolve(LOCK_FILE), e);
    }
    return new MediumException(
        "cannot open "
            + directory
            + " for writing: it may only be read here ("
            + Failures.reason(e)
            + "); open it read-only, or make it writable",
        e);
  }

  /** Whether the file system is mounted read-only; its error is in the user's language. */
  private static boolean isReadOnly(Path directory) {
    try {
      return Files.getFileStore(directory).isReadOnly();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Takes the lock again, in case it was dropped or its file was deleted. Called by a thread that
   * is not interrupted.
   *
   * @throws MediumException if another process holds it now
   */
  synchronized void renew() {
    Held now = held;
    if (closed || now == null) {
      return;
    }
    requireOwned();
    Path file = directory.resolve(LOCK_FILE);
    try {
      if (!now.channel.isOpen() || !now.key.equals(identity(file))) {
        lockAgain(now);
        return;
      }
      for (int part = 0; part < now.parts.length; part++) {
        now.parts[part].release(); // has no effect if the lock was dropped
        FileLock again = null;
        for (int i = 0; i < MAX_ATTEMPTS && again == null; i++) {
          if (i > 0) {
            pause(); // another process may be testing whether the lock is free
          }
          again = tryLock(now.channel, part, shared);
        }
        if (again == null) {
          throw lost(null);
        }
        now.parts[part] = again;
      }
    } catch (OverlappingFileLockException e) {
      // Other code in this process holds the lock, so no other process does.
    } catch (IOException e) {
      throw Failures.of("lock", file, e);
    }
  }

  private void lockAgain(Held old) throws IOException {
    for (int i = 1; ; i++) {
      try {
        held = lock(directory, shared).orElse(null);
        closeQuietly(old.channel);
        return;
      } catch (LockedException e) {
        if (i == MAX_ATTEMPTS) {
          throw lost(e);
        }
        pause();
      }
    }
  }

  /**
   * Checks that no other process has opened the heap since.
   *
   * @throws MediumException if one has
   */
  void requireOwned() {
    Owner mine = owner;
    if (mine == null) {
      return;
    }
    Path file = directory.resolve(OWNER_FILE);
    Owner now = Owner.read(file);
    if (now != null
        && !now.token().equals(mine.token())
        && now.directory().equals(mine.directory())) {
      throw lost(null);
    }
  }

  private MediumException lost(@Nullable Throwable cause) {
    OptionalLong pid = owner(directory);
    return new MediumException(
        (pid.isPresent() ? "process " + pid.getAsLong() : "another process")
            + " has opened "
            + directory
            + " while it was open in this one: the lock was lost, because "
            + directory.resolve(LOCK_FILE)
            + " was deleted, replaced, or copied within this process. Either may have written over"
            + " what the other one committed: stop both, and verify",
        cause);
  }

  /** Releases the lock; idempotent. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    Path file = directory.resolve(shared ? LOCK_FILE : OWNER_FILE);
    FileChannel channel = held == null ? null : held.channel;
    try {
      if (!shared && !isOfAnother(Owner.read(file))) {
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

  private boolean isOfAnother(@Nullable Owner now) {
    return now != null && owner != null && !now.token().equals(owner.token());
  }

  /** Like {@link #lock}, but refuses while the process in the owner file runs. */
  private static Optional<Held> lockUnlessOwned(Path directory, boolean shared, String identity)
      throws IOException {
    Path file = directory.resolve(OWNER_FILE);
    for (int i = 1; ; i++) {
      Optional<Held> held = lock(directory, shared);
      Owner other = Owner.read(file);
      if (other == null
          || other.isThisProcess()
          || !other.directory().equals(identity)
          || !other.runs()) {
        return held;
      }
      if (held.isPresent()) {
        held.get().channel.close();
      }
      if (i == MAX_ATTEMPTS) {
        throw openElsewhere(directory);
      }
      pause();
    }
  }

  /** Takes the lock; returns empty if there is no lock file, for reading only. */
  private static Optional<Held> lock(Path directory, boolean shared) throws IOException {
    Path file = directory.resolve(LOCK_FILE);
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
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
        continue; // deleted meanwhile: try again
      }
      boolean keep = false;
      try {
        FileLock[] parts = new FileLock[PARTS.length - 1];
        for (int part = 0; part < parts.length; part++) {
          FileLock lock = tryLock(channel, part, shared);
          if (lock == null) {
            throw openElsewhere(directory);
          }
          parts[part] = lock;
        }
        if (before.equals(identity(file))) {
          keep = true;
          return Optional.of(new Held(channel, before, parts));
        }
      } catch (OverlappingFileLockException e) {
        // Other code in this JVM locked the file without the registry: do not drop its lock.
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

  private static @Nullable FileLock tryLock(FileChannel channel, int part, boolean shared)
      throws IOException {
    return channel.tryLock(PARTS[part], PARTS[part + 1] - PARTS[part], shared);
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      // Interrupts have no meaning for these threads.
    }
  }

  private static FileChannel open(Path file, boolean shared) throws IOException {
    FileChecks.refusePipe(file);
    return shared
        ? FileChannel.open(file, StandardOpenOption.READ)
        : FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static void create(Path file) throws IOException {
    try {
      NewFiles.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // Another process created it first: lock that file.
    }
  }

  /** Device and inode if the file system has them, else the path; empty if there is no file. */
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

  /** Writes the owner file; ignores failures, since a heap must open on a full disk. */
  private static Owner announce(Path directory, Owner self) {
    Path owner = directory.resolve(OWNER_FILE);
    try {
      Files.deleteIfExists(owner);
      NewFiles.createFile(owner, self.text());
    } catch (IOException e) {
      closeQuietly(() -> Files.deleteIfExists(owner));
    }
    return self;
  }

  private static EverheapException openHere(Path directory) {
    long pid = ProcessHandle.current().pid();
    return LockedException.heap(
        directory
            + " is already open in this process ("
            + pid
            + "); share that heap, or close it first",
        OptionalLong.of(pid));
  }

  /** The ticket is one of another copy of this class. */
  private static EverheapException openInOtherLoader(Path directory) {
    long pid = ProcessHandle.current().pid();
    return LockedException.heap(
        directory
            + " is already open in this process ("
            + pid
            + "), in another class loader with another copy of this library, such as that of an"
            + " application that was started again; close it there, or let both share one copy",
        OptionalLong.of(pid));
  }

  private static LockedException openElsewhere(Path directory) {
    OptionalLong pid = owner(directory);
    return LockedException.heap(
        directory
            + " is already open in "
            + (pid.isPresent()
                ? "process " + pid.getAsLong()
                : "another process, which does not say its id")
            + "; close it there or stop that process",
        pid);
  }

  private static OptionalLong owner(Path directory) {
    Owner owner = Owner.read(directory.resolve(OWNER_FILE));
    // A killed process leaves its id in the file, and readers do not write the file.
    return owner != null && ProcessHandle.of(owner.pid()).isPresent()
        ? OptionalLong.of(owner.pid())
        : OptionalLong.empty();
  }

  private static void closeQuietly(@Nullable AutoCloseable closeable) {
    try {
      if (closeable != null) {
        closeable.close();
      }
    } catch (Exception e) {
      // The caller reports the first failure.
    }
  }
}
