package io.everheap.salvage;

import io.everheap.memory.crypt.Refusal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects what is not authentic in an encrypted heap, and has zeros read there. Thread-safe. */
final class Forgeries implements Refusal {
  private static final int SECTOR = 512;

  private final Map<String, Map<Long, Integer>> found = new TreeMap<>(); // guarded by this

  @Override
  public synchronized void refuse(String file, long position, RuntimeException reason) {
    int length = position == 0 ? -1 : SECTOR; // without its header nothing of a file is known
    found.computeIfAbsent(file, f -> new TreeMap<>()).put(position, length);
  }

  /** Sectors as they are stored, by the names of files below a location. */
  synchronized List<SalvageReport.Range> ranges(String location) {
    return found.entrySet().stream()
        .flatMap(
            file ->
                file.getValue().entrySet().stream()
                    .map(
                        range ->
                            new SalvageReport.Range(
                                file.getKey().substring(location.length() + 1),
                                range.getKey(),
                                range.getValue())))
        .toList();
  }
}
