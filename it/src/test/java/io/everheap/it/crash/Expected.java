package io.everheap.it.crash;

import io.everheap.it.crash.Plan.Table;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** What the tables of a heap must hold after its first n commits. */
final class Expected {
  private final Map<Table, Map<Long, Written>> tables = new EnumMap<>(Table.class);

  /** Which commit wrote a value, and how long it is. */
  record Written(long commit, int length) {}

  private Expected() {
    for (Table table : Table.values()) {
      tables.put(table, new HashMap<>());
    }
  }

  static Expected after(long seed, long commits) {
    var result = new Expected();
    // What came before the last clearing is gone.
    for (long n = Math.max(1, commits - commits % Plan.ERA); n <= commits; n++) {
      result.apply(seed, n);
    }
    return result;
  }

  private void apply(long seed, long commit) {
    Plan.apply(
        seed,
        commit,
        new Plan.Changes() {
          @Override
          public void put(Table table, long key, int length) {
            table(table).put(key, new Written(commit, length));
          }

          @Override
          public void remove(Table table, long key) {
            table(table).remove(key);
          }

          @Override
          public void clear(Table table) {
            table(table).clear();
          }
        });
  }

  Map<Long, Written> table(Table table) {
    return tables.get(table);
  }
}
