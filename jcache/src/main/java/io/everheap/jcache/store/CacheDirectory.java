package io.everheap.jcache.store;

import io.everheap.cache.CacheNames;
import io.everheap.cache.CacheReport;
import io.everheap.error.EverheapException;
import io.everheap.error.LockedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Properties;
import java.util.UUID;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a named cache: a file that says which cache it is and of which types, and the
 * directory of its entries. A cache that is destroyed gets another name first, in one step, so that
 * it is there or not, whenever the process is killed.
 */
public final class CacheDirectory {
  private static final String IDENTITY = "cache.properties";
  private static final String ENTRIES = "entries";
  private static final String DESTROYED = ".destroyed-"; // no cache has a directory with a dot

  private final Path base;
  private final String name;
  private final Path directory;

  /** Of a cache of a name, below a directory of caches. */
  public CacheDirectory(Path base, String name) {
    this.base = base;
    this.name = name;
    this.directory = CacheNames.directory(base, name);
  }

  /** Where the entries are. */
  public Path entries() {
    return directory.resolve(ENTRIES);
  }

  /**
   * Makes the directory, or checks that the cache in it has these types.
   *
   * @throws CacheException if it has others
   */
  public void prepare(Class<?> keys, Class<?> values) {
    try {
      CacheNames.makeDirectory(directory);
      removeDestroyed();
      Properties found = identity();
      if (found == null) {
        var made = new Properties();
        made.setProperty("name", name);
        made.setProperty("keys", keys.getName());
        made.setProperty("values", values.getName());
        write(made);
      } else {
        requireType("keys", keys, found);
        requireType("values", values, found);
      }
    } catch (IOException e) {
      throw new CacheException("cannot use the directory " + directory + ": " + e, e);
    }
  }

  private void requireType(String what, Class<?> type, Properties found) {
    String stored = found.getProperty(what);
    if (stored == null) {
      throw damaged("it does not name the type of the " + what, null);
    }
    if (!type.getName().equals(stored)) {
      throw new CacheException(
          String.format(
              Locale.ROOT,
              "the cache '%s' in %s has %s of %s, and is to be opened with %s: open it with the types"
                  + " that it has, or destroy it first with CacheManager.destroyCache",
              name,
              directory,
              what,
              stored,
              type.getName()));
    }
  }

  private @Nullable Properties identity() throws IOException {
    Path file = directory.resolve(IDENTITY);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return null;
    }
    if (!Files.isRegularFile(file)) {
      throw new CacheException("cannot read " + file + ": it is not a file");
    }
    var found = new Properties();
    if (Files.size(file) > Options.MAX_FILE) {
      throw damaged("it is too long", null);
    }
    try {
      found.load(new ByteArrayInputStream(Files.readAllBytes(file)));
    } catch (IllegalArgumentException e) {
      throw damaged(String.valueOf(e.getMessage()), e);
    }
    return found;
  }

  private CacheException damaged(String why, @Nullable Throwable cause) {
    return new CacheException(
        directory.resolve(IDENTITY)
            + " is damaged: "
            + why
            + ". Put it back from a copy, or destroy the cache with CacheManager.destroyCache",
        cause);
  }

  private void write(Properties identity) throws IOException {
    var bytes = new ByteArrayOutputStream();
    identity.store(bytes, "A cache of Everheap: what is in it");
    Path file = directory.resolve(IDENTITY + ".new");
    boolean _ = Files.deleteIfExists(file); // of an interrupted start
    CacheNames.makeFile(file);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(bytes.toByteArray());
      while (rest.hasRemaining()) {
        int _ = channel.write(rest);
      }
      channel.force(true);
    }
    Files.move(file, directory.resolve(IDENTITY), StandardCopyOption.ATOMIC_MOVE);
    sync(directory);
    sync(base);
  }

  /**
   * Removes the cache and all that it holds, if there is one. Its new name is synced when this
   * returns, so that it does not come back.
   *
   * @throws CacheException if it is open, or cannot be removed
   */
  public void destroy() {
    try {
      // It may be damaged, or a link that leads nowhere.
      if (!Files.exists(directory.resolve(IDENTITY), LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      requireClosed();
      Files.move(
          directory, base.resolve(DESTROYED + UUID.randomUUID()), StandardCopyOption.ATOMIC_MOVE);
      sync(base);
      removeDestroyed();
    } catch (IOException e) {
      throw new CacheException("cannot destroy the cache in " + directory + ": " + e, e);
    }
  }

  private void requireClosed() {
    try {
      CacheReport.forEach(entries(), entry -> false);
    } catch (LockedException e) {
      throw new CacheException(
          String.format(Locale.ROOT, "the cache '%s' is open elsewhere", name), e);
    } catch (EverheapException e) {
      // No process has it open; it is removed whatever is wrong with it.
    }
  }

  /** Removes what is left of destroyed caches. */
  private void removeDestroyed() throws IOException {
    try (var found = Files.newDirectoryStream(base, DESTROYED + "*")) {
      for (Path each : found) {
        delete(each);
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    Path _ =
        Files.walkFileTree(
            tree,
            new SimpleFileVisitor<>() {
              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                  throws IOException {
                boolean _ = Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
              }

              @Override
              public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE; // another process removes it
              }

              @Override
              public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
                  throws IOException {
                boolean _ = Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
              }
            });
  }

  private static void sync(Path directory) throws IOException {
    if (!directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return; // directories cannot be opened there, and the system syncs their entries
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
