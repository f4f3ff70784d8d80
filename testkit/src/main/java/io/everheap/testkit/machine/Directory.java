package io.everheap.testkit.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of a simulated medium's files, as the process sees them and as a power loss leaves
 * them: a creation, rename or deletion is durable after the sync of its directory. A name without a
 * file is a directory. Guarded by the medium's lock.
 */
public final class Directory {
  /** The id of a directory in place of a file's. */
  static final int DIRECTORY = -1;

  private final NavigableMap<String, Integer> current;
  private final NavigableMap<String, Integer> durable;
  private final List<Change> pending;

  /**
   * A change of names that a power loss may undo.
   *
   * @param from the name that is removed, or null
   * @param to the name that is added, or null
   * @param file the id of the file
   */
  record Change(@Nullable String from, @Nullable String to, int file) {
    String directory() {
      String name = to != null ? to : from;
      return name == null ? "" : parent(name);
    }

    void applyTo(NavigableMap<String, Integer> names) {
      if (from != null) {
        names.remove(from);
      }
      if (to != null) {
        names.put(to, file);
      }
    }

    @Override
    public String toString() {
      if (from == null) {
        return "creation of " + to;
      }
      return to == null ? "deletion of " + from : "rename of " + from + " to " + to;
    }
  }

  Directory() {
    this(new TreeMap<>(), new TreeMap<>(), List.of());
  }

  private Directory(
      NavigableMap<String, Integer> current,
      NavigableMap<String, Integer> durable,
      List<Change> pending) {
    this.current = new TreeMap<>(current);
    this.durable = new TreeMap<>(durable);
    this.pending = new ArrayList<>(pending);
  }

  Directory copy() {
    return new Directory(current, durable, pending);
  }

  @Nullable Integer find(String name) {
    Integer file = current.get(name);
    return file == null || file == DIRECTORY ? null : file;
  }

  boolean isDirectory(String name) {
    Integer file = current.get(name);
    return name.isEmpty() || (file != null && file == DIRECTORY);
  }

  /** The names of the files in a directory, without it. */
  List<String> list(String directory) {
    String prefix = directory.isEmpty() ? "" : directory + "/";
    return current.entrySet().stream()
        .filter(e -> e.getValue() != DIRECTORY && parent(e.getKey()).equals(directory))
        .map(e -> e.getKey().substring(prefix.length()))
        .toList();
  }

  /** Adds a file and the directories above it. */
  void create(String name, int file) {
    String parent = parent(name);
    if (!isDirectory(parent)) {
      create(parent, DIRECTORY);
    }
    change(new Change(null, name, file));
  }

  void rename(String from, String to, int file) {
    if (!parent(from).equals(parent(to))) {
      throw new IllegalArgumentException("simulated files are renamed within their directory");
    }
    change(new Change(from, to, file));
  }

  void delete(String name, int file) {
    change(new Change(name, null, file));
  }

  private void change(Change change) {
    change.applyTo(current);
    pending.add(change);
  }

  /** The changes in a directory are durable. */
  void synced(String directory) {
    for (Change change : pending) {
      if (change.directory().equals(directory)) {
        change.applyTo(durable);
      }
    }
    pending.removeIf(change -> change.directory().equals(directory));
  }

  /** The changes that a power loss may undo, the oldest first. */
  List<Change> pending() {
    return List.copyOf(pending);
  }

  /** The names after a power loss that some of the pending changes survived. */
  Directory after(List<Change> survived) {
    NavigableMap<String, Integer> names = new TreeMap<>(durable);
    survived.forEach(change -> change.applyTo(names));
    names.keySet().removeIf(name -> !reachable(name, names));
    return new Directory(names, names, List.of());
  }

  private static boolean reachable(String name, NavigableMap<String, Integer> names) {
    String parent = parent(name);
    return parent.isEmpty() || (names.containsKey(parent) && reachable(parent, names));
  }

  /** Whether a file has a name, or may have one after a power loss. */
  boolean mayHold(int file) {
    return current.containsValue(file)
        || durable.containsValue(file)
        || pending.stream().anyMatch(change -> change.file() == file);
  }

  void addTo(Hash hash) {
    addTo(hash, current);
    addTo(hash, durable);
    hash.add(pending.size());
    for (Change change : pending) {
      addTo(hash, change.from);
      addTo(hash, change.to);
      hash.add(change.file);
    }
  }

  private static void addTo(Hash hash, NavigableMap<String, Integer> names) {
    hash.add(names.size());
    names.forEach(
        (name, file) -> {
          addTo(hash, name);
          hash.add(file);
        });
  }

  private static void addTo(Hash hash, @Nullable String name) {
    hash.add(name == null ? -1 : name.length());
    if (name != null) {
      name.chars().forEach(hash::add);
    }
  }

  static String parent(String name) {
    return name.substring(0, Math.max(name.lastIndexOf('/'), 0));
  }
}
