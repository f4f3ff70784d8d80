package io.everheap.jcache.store;

import io.everheap.cache.CacheNames;
import io.everheap.cache.EvictionPolicy;
import io.everheap.encryption.KeyProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import java.util.function.UnaryOperator;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * What a manager's caches have that their configurations do not say: from the manager's properties,
 * from the file that its URI names, and from the properties of the system, the first one that says
 * it. A property of one cache goes before that of all in the same place.
 */
public final class Options {
  /** Begins the names of all properties. */
  public static final String PREFIX = "everheap.";

  /** Most bytes of a file of properties. */
  static final int MAX_FILE = 1 << 20;

  private static final String OF_CACHE = "everheap.cache.";
  private static final String FILE_SUFFIX = ".properties";
  private static final long DEFAULT_CAPACITY = 64L << 20;

  private final UnaryOperator<Path> own; // the manager's directory in one that is shared
  private final Properties properties;
  private final Properties file = new Properties();
  private final @Nullable Path named; // the directory, or that of the file, that the URI names
  private final boolean isDirectory;

  /**
   * Reads the file, if the URI names one.
   *
   * @param isDefault whether the URI is that of the provider
   * @param number tells managers of one URI apart
   * @throws CacheException if it cannot be read
   */
  public Options(URI uri, boolean isDefault, int number, Properties properties) {
    this.own =
        shared -> {
          Path ofUri = isDefault ? shared : CacheNames.directory(shared, uri.toString());
          return number == 0 ? ofUri : ofUri.resolve(".loader-" + number);
        };
    this.properties = properties;
    if (!"file".equals(uri.getScheme())) {
      this.named = null;
      this.isDirectory = false;
      return;
    }
    Path path = path(uri);
    this.isDirectory = !path.toString().endsWith(FILE_SUFFIX);
    this.named = isDirectory ? path : path.toAbsolutePath().getParent();
    if (!isDirectory) {
      try {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
          throw new IOException("it is no regular file"); // a pipe waits, and a device has no end
        }
        try (InputStream in = Files.newInputStream(path)) {
          byte[] bytes = in.readNBytes(MAX_FILE + 1);
          if (bytes.length > MAX_FILE) {
            throw new IOException("it is longer than " + MAX_FILE + " bytes");
          }
          file.load(new ByteArrayInputStream(bytes));
        }
      } catch (IOException | IllegalArgumentException e) {
        throw new CacheException("cannot read the properties " + path + ": " + e, e);
      }
    }
  }

  private static Path path(URI uri) {
    try {
      return Path.of(uri);
    } catch (IllegalArgumentException | java.nio.file.FileSystemNotFoundException e) {
      throw new CacheException(uri + " names no file: " + e.getMessage(), e);
    }
  }

  /**
   * The directory of the caches.
   *
   * @return null if nothing says which
   */
  public @Nullable Path directory(String cache) {
    String given = of(properties, cache, "directory");
    if (given != null) {
      return Path.of(given);
    }
    String inFile = of(file, cache, "directory");
    if (inFile != null && named != null) {
      return named.resolve(inFile);
    }
    if (isDirectory) {
      return named;
    }
    String ofSystem = of(System.getProperties(), cache, "directory");
    if (ofSystem == null) {
      return null;
    }
    return own.apply(Path.of(ofSystem));
  }

  /** The most bytes that a cache takes. */
  public long capacity(String cache) {
    String given = find(cache, "capacity");
    return given == null ? DEFAULT_CAPACITY : bytes(given);
  }

  /** What makes room in a cache. */
  public EvictionPolicy policy(String cache) {
    String given = find(cache, "policy");
    try {
      return given == null
          ? EvictionPolicy.S3_FIFO
          : EvictionPolicy.valueOf(given.strip().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new CacheException("everheap.policy: there is no policy " + given, e);
    }
  }

  /** Whether removals of a cache are durable when they return. */
  public boolean isStrict(String cache) {
    String given = find(cache, "strict");
    String word = given == null ? "false" : given.strip().toLowerCase(Locale.ROOT);
    if (!word.equals("true") && !word.equals("false")) {
      throw new CacheException("everheap.strict: '" + given + "' is neither true nor false");
    }
    return word.equals("true");
  }

  /** What gives the key of a cache; null if it is not encrypted. */
  public @Nullable KeyProvider key(String cache) {
    String given = find(cache, "key");
    try {
      return given == null ? null : KeyProvider.from(given.strip());
    } catch (IllegalArgumentException e) {
      throw new CacheException("everheap.key: " + e.getMessage(), e);
    }
  }

  /** Allows and rejects classes of serialized keys and values; null if nothing says which. */
  public @Nullable ObjectInputFilter serialFilter(String cache) {
    String given = find(cache, "serialFilter");
    try {
      return given == null ? null : ObjectInputFilter.Config.createFilter(given.strip());
    } catch (IllegalArgumentException e) {
      throw new CacheException("everheap.serialFilter: " + e.getMessage(), e);
    }
  }

  private @Nullable String find(String cache, String what) {
    for (Properties each : new Properties[] {properties, file, System.getProperties()}) {
      String found = of(each, cache, what);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable String of(Properties from, String cache, String what) {
    String its = from.getProperty(OF_CACHE + cache + "." + what);
    return its != null ? its : from.getProperty(PREFIX + what);
  }

  /** A number of bytes, or of as many KiB, MiB, GiB or TiB as {@code k}, {@code m}... says. */
  static long bytes(String text) {
    String number = text.strip().toLowerCase(Locale.ROOT);
    int unit = number.isEmpty() ? -1 : "kmgt".indexOf(number.charAt(number.length() - 1));
    try {
      long count =
          Long.parseLong(unit < 0 ? number : number.substring(0, number.length() - 1).strip());
      return Math.multiplyExact(count, 1L << (10 * (unit + 1)));
    } catch (NumberFormatException | ArithmeticException e) {
      throw new CacheException(
          String.format(
              Locale.ROOT,
              "everheap.capacity: '%s' is no number of bytes such as 1073741824, 64m or 1g",
              text),
          e);
    }
  }
}
