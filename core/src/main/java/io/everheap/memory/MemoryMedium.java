package io.everheap.memory;

import io.everheap.error.MediumException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A medium in memory, for tests and for data that need not outlive the process. {@link
 * Region#force} has nothing to do, so a commit is as cheap as on persistent memory.
 *
 * <p>{@link #close} frees the memory; until then regions and contents stay as they are.
 * Thread-safe.
 */
public final class MemoryMedium implements Medium {
  private final Map<String, MemoryContent> files = new HashMap<>();
  private final String incarnation = UUID.randomUUID().toString();
  private boolean closed;

  /** Creates an empty medium. */
  public MemoryMedium() {}

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String location() {
    return "memory";
  }

  @Override
  public boolean byteAddressable() {
    return true;
  }

  @Override
  public boolean readOnly() {
    return false;
  }

  @Override
  public String incarnation() {
    return incarnation;
  }

  @Override
  public synchronized boolean exists(String name) {
    requireOpen();
    return files.containsKey(name) || !list(name).isEmpty();
  }

  @Override
  public synchronized List<String> list(String directory) {
    requireOpen();
    String prefix = directory.isEmpty() ? "" : directory + "/";
    return files.keySet().stream()
        .filter(name -> name.startsWith(prefix) && name.indexOf('/', prefix.length()) < 0)
        .map(name -> name.substring(prefix.length()))
        .sorted()
        .toList();
  }

  @Override
  public synchronized MediumFile create(String name) {
    requireOpen();
    var content = new MemoryContent(name);
    if (files.putIfAbsent(name, content) != null) {
      throw new MediumException("cannot create " + name + " in memory: it exists already", null);
    }
    return new MemoryFile(this, name, content);
  }

  @Override
  public synchronized MediumFile open(String name) {
    requireOpen();
    return new MemoryFile(this, name, existing("open", name, files.get(name)));
  }

  @Override
  public MediumFile openLog(String name, DurableWrite how) {
    return open(name);
  }

  @Override
  public synchronized void rename(String from, String to) {
    requireOpen();
    MemoryContent content = existing("rename", from, files.get(from));
    if (!from.equals(to)) {
      files.remove(from);
      MemoryContent replaced = files.put(to, content);
      if (replaced != null) {
        replaced.discard();
      }
    }
  }

  @Override
  public synchronized void delete(String name) {
    requireOpen();
    MemoryContent content = files.remove(name);
    if (content != null) {
      content.discard();
    }
  }

  @Override
  public void syncDirectory(String directory) {
    requireOpen();
  }

  @Override
  public DurableWrite probeDurableWrite() {
    requireOpen();
    return DurableWrite.FDATASYNC;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      files.values().forEach(MemoryContent::free);
      files.clear();
    }
  }

  synchronized void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the memory medium is closed");
    }
  }

  private static MemoryContent existing(
      String operation, String name, @Nullable MemoryContent content) {
    if (content == null) {
      throw new MediumException(
          "cannot " + operation + " " + name + " in memory: it does not exist", null);
    }
    return content;
  }
}
