package io.everheap.cassandra;

import io.everheap.error.CorruptException;
import io.everheap.store.ShardedMap;
import io.everheap.store.ShardedSortedMap;
import io.everheap.store.ShardedStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which maps of a store have the partitions of which tables. A table has a generation for each of
 * its memtables that Cassandra did not discard: one, or two while it switches from one to the next.
 * The list of them is durable before a generation is written to, and before what makes Cassandra
 * forget one is acknowledged. So the first memtable of a process takes over all that are listed,
 * and none that is not. Safe for use by many threads.
 */
final class Generations {
  private static final String LISTS = "everheap.tables";
  private static final String CONFIGURATIONS = "everheap.configurations";

  /** Numbers from 1 to 999,999,999. */
  private static final Pattern LIST = Pattern.compile("[1-9][0-9]{0,8}(,[1-9][0-9]{0,8})*+");

  private final ShardedStore store;
  private final ShardedMap<String, String> lists;
  private final ShardedMap<String, String> configurations;
  private final Set<String> attached = new HashSet<>(); // guarded by this
  private final Set<String> cleared = new HashSet<>(); // maps being cleared; guarded by this

  Generations(ShardedStore store) {
    this.store = store;
    this.lists = store.map(LISTS, String.class, String.class);
    this.configurations = store.map(CONFIGURATIONS, String.class, String.class);
    clearUnlisted();
  }

  /** Removes the partitions of generations that a process was removing when it ended. */
  private void clearUnlisted() {
    for (String name : store.names()) {
      int end = name.lastIndexOf('#');
      if (end > 0
          && listed(name.substring(0, end)).stream()
              .noneMatch(number -> name.equals(name(name.substring(0, end), number)))) {
        store.sortedMap(name, byte[].class, byte[].class).clear();
      }
    }
    store.sync(); // before their numbers are used again
  }

  /**
   * One memtable's map.
   *
   * @param table id and name of the table
   */
  record Generation(String table, int number, ShardedSortedMap<byte[], byte[]> partitions) {
    @Override
    public String toString() {
      return name(table, number);
    }
  }

  /**
   * The generations of a new memtable: the one that it writes to, and those whose partitions it has
   * to take over, if this is the first memtable of the table in this process.
   *
   * @param anew whether what an earlier process had does not count
   */
  synchronized List<Generation> begin(String table, boolean anew) {
    List<Integer> listed = listed(table);
    boolean first = attached.add(table);
    if (first && anew) {
      listed.forEach(number -> cleared.add(name(table, number))); // by the next process
      listed.clear();
    }
    if (!first || listed.isEmpty()) {
      Generation next = free(table, listed);
      listed.add(next.number());
      write(table, listed);
      return List.of(next);
    }
    return generations(table, listed);
  }

  /**
   * The generations of a table that has had no memtable in this process, which gets none that takes
   * them over from now on.
   */
  synchronized List<Generation> adopt(String table) {
    return attached.add(table) ? generations(table, listed(table)) : List.of();
  }

  /** The newest first. */
  private List<Generation> generations(String table, List<Integer> listed) {
    return listed.reversed().stream().map(number -> generation(table, number)).toList();
  }

  /** The tables, and indexes, that have generations. */
  synchronized Set<String> tables() {
    Set<String> tables = new TreeSet<>();
    lists.forEach((table, numbers) -> tables.add(table));
    return tables;
  }

  /** Makes everything durable that was written. */
  void sync() {
    store.sync();
  }

  /** Keeps the name of a table's memtable configuration. */
  void configured(String table, String configuration) {
    if (!configuration.equals(configurations.get(table))) {
      configurations.set(table, configuration);
    }
  }

  /** The names of the memtable configurations of the tables that have partitions here. */
  synchronized Map<String, String> configurations() {
    Map<String, String> found = new HashMap<>();
    configurations.forEach(
        (table, configuration) -> {
          if (listed(table).stream().anyMatch(n -> !generation(table, n).partitions().isEmpty())) {
            found.put(table, configuration);
          }
        });
    return found;
  }

  /** An unused generation: the number of one that was cleared, or another one. */
  private Generation free(String table, List<Integer> listed) {
    for (int number = 1; ; number++) {
      if (!listed.contains(number) && !cleared.contains(name(table, number))) {
        Generation candidate = generation(table, number);
        if (candidate.partitions().isEmpty()) {
          return candidate;
        }
      }
    }
  }

  /** Takes a generation off the list: what it has does not count any more after a restart. */
  synchronized void forget(Generation generation) {
    List<Integer> listed = listed(generation.table());
    if (listed.remove(Integer.valueOf(generation.number()))) {
      cleared.add(generation.toString()); // not used again before it was cleared
      write(generation.table(), listed);
      store.sync(); // whatever the durability: it does not come back after a power loss
    }
  }

  /** Removes a generation whose partitions another one has now. */
  void absorbed(Generation generation) {
    store.sync(); // first: shards become durable one by one, and the list is in one of them
    clear(generation);
  }

  /** Removes the partitions of a generation that nothing uses any more. */
  void clear(Generation generation) {
    forget(generation);
    generation.partitions().clear();
    store.sync(); // else a power loss could leave some of it in a new generation of its number
    synchronized (this) {
      cleared.remove(generation.toString());
    }
  }

  private List<Integer> listed(String table) {
    String list = lists.get(table);
    if (list == null) {
      return new ArrayList<>();
    }
    if (!LIST.matcher(list).matches()) {
      throw CorruptException.heap(
          store + " has a list of the memtables of " + table + " that is none: " + list);
    }
    return Stream.of(list.split(","))
        .map(Integer::valueOf)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private void write(String table, List<Integer> listed) {
    if (listed.isEmpty()) {
      lists.remove(table);
    } else {
      lists.set(table, listed.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
  }

  private Generation generation(String table, int number) {
    String name = name(table, number);
    return new Generation(table, number, store.sortedMap(name, byte[].class, byte[].class));
  }

  private static String name(String table, int number) {
    return table + "#" + number;
  }
}
