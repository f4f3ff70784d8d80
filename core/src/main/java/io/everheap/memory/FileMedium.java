package io.everheap.memory;

import io.everheap.error.DiskFullException;
import io.everheap.error.LockedException;
import io.everheap.error.MediumException;
import io.everheap.error.MissingException;
import io.everheap.error.ReadOnlyException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A directory of an ordinary file system. Bytes become durable with {@link MediumFile#writeDurably}
 * and {@link MediumFile#sync}; while the medium is open, it holds the heap's lock. Thread-safe.
 */
public sealed class FileMedium implements Medium permits DaxMedium {
  /** File systems that write to other blocks than those that a page has, always or at times. */
  private static final Set<String> COPYING = Set.of("btrfs", "xfs", "bcachefs", "zfs", "ocfs2");

  private final Path root;
  private final boolean readOnly;
  private final @Nullable HeapLock lock;
  private final OpenFiles files;
  private volatile boolean closed;

  /** What {@link #abandon} deletes, in this order, if it is empty; set before others see this. */
  private List<Path> made = List.of();

  FileMedium(Path root, boolean readOnly, @Nullable HeapLock lock) {
    this.root = root;
    this.readOnly = readOnly;
    this.lock = lock;
    this.files = new OpenFiles(root);
    ClassesAhead.load(Failures.class, DiskFullException.class); // for explaining a fault
  }

  /**
   * Opens a directory and takes the heap's lock: exclusively for writing, shared with other
   * processes for reading.
   *
   * @param directory the heap
   * @param readOnly whether to refuse every change; nothing is written then, not even a lock file
   * @param create whether to create the directory, accessible for its owner only, if it is missing;
   *     ignored for reading
   * @return the medium
   * @throws MissingException if there is no directory
   * @throws LockedException if the heap is open in another process, or in this one in any mode
   * @throws MediumException if the directory cannot be used, for example for lack of permission
   */
  public static FileMedium open(Path directory, boolean readOnly, boolean create) {
    List<Path> missing = missing(directory);
    Path root = prepare(directory, create && !readOnly);
    boolean locked = Files.exists(root.resolve(HeapLock.LOCK_FILE));
    var medium = new FileMedium(root, readOnly, HeapLock.acquire(root, readOnly));
    medium.made = made(missing, root, readOnly || locked);
    if (readOnly) {
      medium.requireSettled();
    } else {
      medium.tidy();
    }
    return medium;
  }

  /**
   * Opens a directory for reading without a lock, while another process may write to it. The caller
   * must expect that files change, appear and disappear.
   *
   * @param directory to read
   * @return a read-only medium
   * @throws MissingException if there is no directory
   */
  public static FileMedium watch(Path directory) {
    var medium = new FileMedium(prepare(directory, false), true, null);
    medium.requireSettled();
    return medium;
  }

  /**
   * Opens a directory for writing without a lock. The caller makes sure that it and another process
   * never write to the same file.
   *
   * @param directory to write to
   * @return the medium
   * @throws MissingException if there is no directory
   */
  public static FileMedium beside(Path directory) {
    return new FileMedium(prepare(directory, false), false, null);
  }

  /** The directory and those above it, as far as they are missing; the innermost one first. */
  private static List<Path> missing(Path directory) {
    List<Path> missing = new ArrayList<>();
    Path at = directory.toAbsolutePath();
    while (at != null && !Files.exists(at)) {
      missing.add(at);
      at = at.getParent();
    }
    return missing;
  }

  private static List<Path> made(List<Path> missing, Path root, boolean hasLock) {
    if (hasLock) {
      return List.of();
    }
    List<Path> made = new ArrayList<>(missing);
    made.addFirst(root.resolve(HeapLock.LOCK_FILE));
    return made;
  }

  /** Returns the real path of a heap's directory; creates it first if {@code create}. */
  static Path prepare(Path directory, boolean create) {
    try {
      if (create) {
        NewFiles.createDirectories(directory.toAbsolutePath());
      }
      Path root = directory.toRealPath();
      if (!Files.isDirectory(root)) {
        throw MissingException.heap(
            directory + " is not a directory; a heap is a directory, give the path of one", null);
      }
      return root;
    } catch (NoSuchFileException e) {
      throw MissingException.heap("there is no heap at " + directory.toAbsolutePath(), e);
    } catch (IOException e) {
      if (Files.exists(directory) && !Files.isDirectory(directory)) {
        throw MissingException.heap(
            directory + " is not a directory; a heap is a directory, give the path of one", e);
      }
      throw Failures.of("open", directory, e);
    }
  }

  @Override
  public String name() {
    return "file";
  }

  @Override
  public final String location() {
    return root.toString();
  }

  @Override
  public boolean byteAddressable() {
    return false;
  }

  @Override
  public final boolean readOnly() {
    return readOnly;
  }

  @Override
  public final String incarnation() {
    return Incarnation.CURRENT;
  }

  /** A file that cannot be reached is not missing: a new one must not take its place. */
  @Override
  public final boolean exists(String name) {
    requireOpen();
    Path path = resolve(name);
    try {
      boolean isLink =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .isSymbolicLink();
      if (isLink && !Files.exists(path)) {
        throw new FileSystemException(
            path.toString(), null, "it is a link to a file that cannot be reached");
      }
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw Failures.of("find", path, e);
    }
  }

  @Override
  public final List<String> list(String directory) {
    requireOpen();
    Path path = resolve(directory);
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        if (Files.isRegularFile(file)) {
          names.add(file.getFileName().toString());
        }
      }
      Collections.sort(names);
      return names;
    } catch (DirectoryIteratorException e) {
      throw Failures.of("list", path, Objects.requireNonNull(e.getCause()));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (IOException e) {
      throw Failures.of("list", path, e);
    }
  }

  @Override
  public final MediumFile create(String name) {
    requireChangeable("create", name);
    files.requireRoot(); // createParent would recreate a directory that was moved
    Path path = resolve(name);
    try {
      NewFiles.createParent(path);
      NewFiles.createFile(path);
    } catch (IOException e) {
      throw Failures.of("create", path, e);
    }
    return new StoredFile(this, name, path, DurableWrite.FDATASYNC);
  }

  @Override
  public final MediumFile open(String name) {
    return openLog(name, DurableWrite.FDATASYNC);
  }

  @Override
  public final MediumFile openLog(String name, DurableWrite how) {
    requireOpen();
    Path path = resolve(name);
    if (!Files.isRegularFile(path)) {
      NoSuchFileException missing = new NoSuchFileException(path.toString());
      files.requireRoot(missing);
      throw Failures.of("open", path, missing);
    }
    return new StoredFile(this, name, path, how);
  }

  @Override
  public final void rename(String from, String to) {
    requireChangeable("rename", from);
    Path source = resolve(from);
    Path target = resolve(to);
    try {
      synchronized (files) {
        Files.move(
            source, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        files.renamed(source, target);
      }
    } catch (IOException e) {
      files.requireRoot(e);
      throw Failures.of("rename to " + target + " the file", source, e);
    }
  }

  @Override
  public final void delete(String name) {
    requireChangeable("delete", name);
    Path path = resolve(name);
    try {
      synchronized (files) {
        Files.deleteIfExists(path);
        files.deleted(path);
      }
    } catch (IOException e) {
      throw Failures.of("delete", path, e);
    }
  }

  @Override
  public final void syncDirectory(String directory) {
    requireChangeable("sync", directory);
    Path path = resolve(directory);
    if (!NewFiles.posix(path)) {
      return; // directories cannot be opened there, and the system syncs their entries
    }
    try (SteadyChannel channel = SteadyChannel.open(path, StandardOpenOption.READ)) {
      channel.syncAll();
    } catch (IOException e) {
      files.requireRoot(e);
      throw Failures.of("sync", path, e);
    }
  }

  @Override
  public final DurableWrite probeDurableWrite() {
    requireChangeable("probe", "");
    return DurableWriteProbe.run(this);
  }

  @Override
  public final void requireIntact() {
    files.check();
    if (lock != null) {
      lock.requireOwned();
    }
  }

  @Override
  public final boolean lacksRoom(long bytes) {
    return Failures.hasNoRoom(root, bytes);
  }

  @Override
  public final boolean copiesOnWrite() {
    try {
      return COPYING.contains(Files.getFileStore(root).type());
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public final LooseFile loose(String name, ByteBuffer content) {
    requireChangeable("create", name);
    files.requireRoot();
    return LooseFile.create(resolve(name), content);
  }

  @Override
  public final Watch watch(Runnable further, Consumer<Throwable> onFailure) {
    return FileWatch.start(
        root.toString(),
        () -> {
          requireIntact();
          further.run();
          if (lock != null) {
            lock.renew();
          }
        },
        onFailure);
  }

  /** Deletes the file of the lock while the lock is held; another process then locks a new one. */
  @Override
  public final void abandon() {
    try {
      if (!made.isEmpty() && isUnused()) {
        Files.deleteIfExists(made.getFirst());
      }
    } catch (IOException e) {
      // what is left is not in the way of another opening
    } finally {
      close(); // deletes the file with the owner
    }
    try {
      for (Path directory : made.subList(Math.min(1, made.size()), made.size())) {
        Files.deleteIfExists(directory);
      }
    } catch (IOException e) {
      // it is not empty
    }
  }

  private boolean isUnused() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(root)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (!name.equals(HeapLock.LOCK_FILE) && !name.equals(HeapLock.OWNER_FILE)) {
          return false;
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return true;
  }

  @Override
  public final void close() {
    closed = true;
    if (lock != null) {
      lock.close();
    }
  }

  @Override
  public final String toString() {
    return name() + ":" + root;
  }

  /**
   * Deletes files that probes of a killed process left, and completes or undoes an interrupted
   * exchange of files; closes this medium if that fails.
   */
  final void tidy() {
    boolean done = false;
    try {
      Exchange.settle(this);
      for (String name : list("")) {
        if (name.startsWith(DurableWriteProbe.PREFIX) && name.endsWith(DurableWriteProbe.SUFFIX)) {
          delete(name);
        }
      }
      done = true;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  /** Refuses to read files that are being exchanged; closes this medium then. */
  final void requireSettled() {
    boolean done = false;
    try {
      Exchange.requireSettled(this);
      done = true;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  /** The files that are open for changes. */
  final OpenFiles files() {
    return files;
  }

  /** The mode of a shared mapping. */
  MapMode sharedMode() {
    return MapMode.READ_WRITE;
  }

  /** Throws if this medium is closed: without the lock, no file may be read or written. */
  final void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the heap's directory is closed: " + root);
    }
  }

  /** Throws if this medium is closed or read-only. */
  final void requireChangeable(String operation, String name) {
    requireOpen();
    if (readOnly) {
      throw ReadOnlyException.heap(
          "cannot " + operation + " " + root.resolve(name) + ": the heap is open for reading only");
    }
  }

  private Path resolve(String name) {
    Path path = root.resolve(name).normalize();
    if (!path.startsWith(root) || (!name.isEmpty() && path.equals(root))) {
      throw new IllegalArgumentException("not a name within the heap's directory: " + name);
    }
    return path;
  }
}
