package io.everheap.jcache;

import io.everheap.stability.Stable;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Predicate;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/**
 * Caches of JCache that are warm after a kill. Found by the service loader, so that {@code
 * Caching.getCachingProvider()} returns it; by its name if there are several providers.
 *
 * <p><b>Where caches are.</b> Each cache has a directory of its own, named after it, in the one
 * that the first of these names: {@link EverheapConfiguration#withDirectory}; the property {@code
 * everheap.directory} of the manager; the manager's URI, if that is a {@code file:} URI, which
 * names the directory itself, or a file of properties if it ends with {@code .properties}; the
 * property {@code everheap.directory} of the system, in which managers of other URIs than the
 * default one have a directory of their own, and the second and further managers of a URI, of other
 * class loaders, that are open at a time. If nothing names one, {@code createCache} throws {@link
 * javax.cache.CacheException}: there is no default.
 *
 * <p><b>Further properties</b>, of the manager, in its file, and of the system: {@code
 * everheap.capacity} (bytes, or as {@code 64m}, {@code 1g}; 64 MiB by default), {@code
 * everheap.policy} ({@code S3_FIFO}, {@code TINY_LFU}, {@code LRU}), {@code everheap.strict}
 * ({@code true}, {@code false}), {@code everheap.key} ({@code file:PATH}, {@code env:VARIABLE},
 * {@code command:PROGRAM}: where the key of encrypted caches comes from). With {@code cache.NAME.}
 * after {@code everheap.} they are those of one cache, and go before those of all in the same
 * place.
 *
 * <p><b>What survives</b> a kill: entries and when they expire. A cache that was destroyed stays
 * destroyed. Configurations and listeners are the program's; it creates its caches each time, and
 * finds in them what was there. A cache that exists with other types is refused.
 *
 * <p>A cache can be open in one manager of one process at a time. Thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class EverheapCachingProvider implements CachingProvider {
  private static final URI DEFAULT = URI.create("everheap:default");

  private record Place(URI uri, ClassLoader loader) {}

  private final Map<Place, EverheapCacheManager> managers = new HashMap<>(); // guarded by itself

  /** Without managers at first. */
  public EverheapCachingProvider() {}

  @Override
  public CacheManager getCacheManager(
      @Nullable URI uri, @Nullable ClassLoader classLoader, @Nullable Properties properties) {
    Place place = place(uri, classLoader);
    synchronized (managers) {
      return managers.computeIfAbsent(
          place,
          its ->
              new EverheapCacheManager(
                  this,
                  its.uri(),
                  its.loader(),
                  Objects.requireNonNullElseGet(properties, Properties::new)));
    }
  }

  private Place place(@Nullable URI uri, @Nullable ClassLoader loader) {
    return new Place(
        uri == null ? getDefaultURI() : uri, loader == null ? getDefaultClassLoader() : loader);
  }

  @Override
  public CacheManager getCacheManager(@Nullable URI uri, @Nullable ClassLoader classLoader) {
    return getCacheManager(uri, classLoader, getDefaultProperties());
  }

  @Override
  public CacheManager getCacheManager() {
    return getCacheManager(getDefaultURI(), getDefaultClassLoader());
  }

  @Override
  public ClassLoader getDefaultClassLoader() {
    return EverheapCachingProvider.class.getClassLoader();
  }

  @Override
  public URI getDefaultURI() {
    return DEFAULT;
  }

  @Override
  public @Nullable Properties getDefaultProperties() {
    return null;
  }

  @Override
  public void close() {
    close(place -> true);
  }

  @Override
  public void close(@Nullable ClassLoader classLoader) {
    ClassLoader loader = place(null, classLoader).loader();
    close(place -> place.loader().equals(loader));
  }

  @Override
  public void close(@Nullable URI uri, @Nullable ClassLoader classLoader) {
    close(place(uri, classLoader)::equals);
  }

  private void close(Predicate<Place> which) {
    List<EverheapCacheManager> closed = new ArrayList<>();
    synchronized (managers) {
      managers.forEach(
          (place, manager) -> {
            if (which.test(place)) {
              closed.add(manager);
            }
          });
      managers.values().removeAll(closed);
    }
    closed.forEach(EverheapCacheManager::close);
  }

  /** Forgets a manager that is closed. */
  void release(EverheapCacheManager manager) {
    synchronized (managers) {
      managers.remove(place(manager.getURI(), manager.getClassLoader()), manager);
    }
  }

  @Override
  public boolean isSupported(OptionalFeature feature) {
    return false; // of those that there are: storing by reference
  }
}
