package io.everheap.spring.boot;

import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

/**
 * The properties of Spring Boot that begin with {@code everheap.heap}; see {@link
 * io.everheap.HeapBuilder}. Not thread-safe.
 *
 * @since 0.9
 */
@ConfigurationProperties("everheap.heap")
@Stable
public class EverheapHeapProperties {
  private @Nullable Path directory;
  private boolean mustExist;
  private @Nullable String key;
  private @Nullable String notOlderThan;
  private @Nullable Duration asyncInterval;
  private @Nullable DataSize maxSize;
  private @Nullable DataSize logSize;
  private @Nullable DataSize memoryBudget;
  private @Nullable Duration lockTimeout;
  private @Nullable Path archive;
  private @Nullable Double collectGrowth;

  /** With nothing set. */
  public EverheapHeapProperties() {}

  /**
   * Returns the directory of the heap.
   *
   * @return the directory; without one there is no heap
   */
  public @Nullable Path getDirectory() {
    return directory;
  }

  /**
   * Sets the directory of the heap.
   *
   * @param path made if it is missing
   */
  public void setDirectory(@Nullable Path path) {
    directory = path;
  }

  /**
   * Returns whether a missing heap is an error.
   *
   * @return false if it is made
   */
  public boolean isMustExist() {
    return mustExist;
  }

  /**
   * Sets whether a missing heap is an error, such as that of a volume that is not mounted.
   *
   * @param required as {@link io.everheap.HeapBuilder#mustExist}
   */
  public void setMustExist(boolean required) {
    mustExist = required;
  }

  /**
   * Returns where the wrapping key of an encrypted heap is.
   *
   * @return the source; null if the heap is not encrypted
   */
  public @Nullable String getKey() {
    return key;
  }

  /**
   * Sets where the wrapping key of an encrypted heap is.
   *
   * @param source {@code file:PATH}, {@code env:VARIABLE} or {@code command:PROGRAM}, as for {@link
   *     io.everheap.encryption.KeyProvider#from}
   */
  public void setKey(@Nullable String source) {
    key = source;
  }

  /**
   * Returns the anchor before which the heap must not end.
   *
   * @return the text of a {@link io.everheap.HeapAnchor}; null for none
   */
  public @Nullable String getNotOlderThan() {
    return notOlderThan;
  }

  /**
   * Sets the anchor before which the heap must not end.
   *
   * @param anchor the text of a {@link io.everheap.HeapAnchor} that was kept elsewhere
   */
  public void setNotOlderThan(@Nullable String anchor) {
    notOlderThan = anchor;
  }

  /**
   * Returns after what time commits are durable.
   *
   * @return the interval; null if each commit waits until it is durable
   */
  public @Nullable Duration getAsyncInterval() {
    return asyncInterval;
  }

  /**
   * Sets after what time commits are durable.
   *
   * @param interval of {@link io.everheap.Durability#async}
   */
  public void setAsyncInterval(@Nullable Duration interval) {
    asyncInterval = interval;
  }

  /**
   * Returns the maximum size of the home image.
   *
   * @return the size; null for the default
   */
  public @Nullable DataSize getMaxSize() {
    return maxSize;
  }

  /**
   * Sets the maximum size of the home image.
   *
   * @param size of {@link io.everheap.HeapBuilder#maxSize}
   */
  public void setMaxSize(@Nullable DataSize size) {
    maxSize = size;
  }

  /**
   * Returns the target size of the log.
   *
   * @return the size; null for the default
   */
  public @Nullable DataSize getLogSize() {
    return logSize;
  }

  /**
   * Sets the target size of the log.
   *
   * @param size of {@link io.everheap.HeapBuilder#logSize}
   */
  public void setLogSize(@Nullable DataSize size) {
    logSize = size;
  }

  /**
   * Returns the maximum memory for changed pages.
   *
   * @return the size; null for the default
   */
  public @Nullable DataSize getMemoryBudget() {
    return memoryBudget;
  }

  /**
   * Sets the maximum memory for changed pages.
   *
   * @param size of {@link io.everheap.HeapBuilder#memoryBudget}
   */
  public void setMemoryBudget(@Nullable DataSize size) {
    memoryBudget = size;
  }

  /**
   * Returns how long a transaction waits for its turn.
   *
   * @return the time; null for the default
   */
  public @Nullable Duration getLockTimeout() {
    return lockTimeout;
  }

  /**
   * Sets how long a transaction waits for its turn.
   *
   * @param timeout of {@link io.everheap.HeapBuilder#lockTimeout}
   */
  public void setLockTimeout(@Nullable Duration timeout) {
    lockTimeout = timeout;
  }

  /**
   * Returns the directory of backups beside which the log is archived.
   *
   * @return the directory; null for no archive
   */
  public @Nullable Path getArchive() {
    return archive;
  }

  /**
   * Sets the directory of backups beside which the log is archived.
   *
   * @param backups of {@link io.everheap.HeapBuilder#archive}
   */
  public void setArchive(@Nullable Path backups) {
    archive = backups;
  }

  /**
   * Returns after what growth unreachable data is collected.
   *
   * @return a share of the heap's size; null if never automatically
   */
  public @Nullable Double getCollectGrowth() {
    return collectGrowth;
  }

  /**
   * Sets after what growth unreachable data is collected.
   *
   * @param growth of {@link io.everheap.HeapBuilder#collectAutomatically}
   */
  public void setCollectGrowth(@Nullable Double growth) {
    collectGrowth = growth;
  }
}
