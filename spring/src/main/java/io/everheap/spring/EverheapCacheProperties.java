package io.everheap.spring;

import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties of Spring Boot that begin with {@code everheap.cache}: those of {@link
 * EverheapCacheOptions} for all caches, and the following. Not thread-safe.
 *
 * @since 0.9
 */
@ConfigurationProperties("everheap.cache")
@Stable
public class EverheapCacheProperties extends EverheapCacheOptions {
  private @Nullable Path directory;
  private boolean allowNullValues = true;
  private List<String> names = List.of();
  private Map<String, EverheapCacheOptions> caches = new HashMap<>();

  /** With nothing set. */
  public EverheapCacheProperties() {}

  /**
   * Returns the directory of the caches.
   *
   * @return the directory; without one there is no cache manager of Everheap
   */
  public @Nullable Path getDirectory() {
    return directory;
  }

  /**
   * Sets the directory of the caches.
   *
   * @param path made if it is missing
   */
  public void setDirectory(@Nullable Path path) {
    directory = path;
  }

  /**
   * Tells whether {@code null} is a value that is cached.
   *
   * @return {@code true} by default
   */
  public boolean isAllowNullValues() {
    return allowNullValues;
  }

  /**
   * Sets whether {@code null} is a value that is cached.
   *
   * @param allowed whether it is
   */
  public void setAllowNullValues(boolean allowed) {
    allowNullValues = allowed;
  }

  /**
   * Returns the names of all caches that there may be.
   *
   * @return the names; any if empty
   */
  public List<String> getNames() {
    return names;
  }

  /**
   * Sets the names of all caches that there may be, besides those with options of their own.
   *
   * @param all the names; any if empty
   */
  public void setNames(List<String> all) {
    names = all;
  }

  /**
   * Returns the options of single caches.
   *
   * @return by name; may be changed
   */
  public Map<String, EverheapCacheOptions> getCaches() {
    return caches;
  }

  /**
   * Sets the options of single caches.
   *
   * @param all by name
   */
  public void setCaches(Map<String, EverheapCacheOptions> all) {
    caches = all;
  }
}
