package io.everheap.samples.boot;

import io.everheap.Heap;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import java.util.Locale;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The entries, and how often each guest signed: two structures that always fit. */
@Service
public class GuestBook {
  private final DurableList<String> entries;
  private final DurableMap<String, Integer> visits;

  /**
   * The guest book of a heap.
   *
   * @param heap that the starter opened
   */
  public GuestBook(Heap heap) {
    this.entries = heap.list("entries", String.class);
    this.visits = heap.map("visits", String.class, Integer.class);
  }

  /**
   * Adds an entry.
   *
   * @param guest who signs
   * @return what to tell the guest; the entry is durable when the caller gets it
   * @throws IllegalArgumentException if the name is empty; then nothing is stored
   */
  @Transactional
  public String sign(String guest) {
    entries.add(guest);
    int visit = visits.merge(guest, 1, Integer::sum);
    if (guest.isBlank()) {
      throw new IllegalArgumentException("a guest has a name");
    }
    return String.format(Locale.ROOT, "%s, visit %d, entry %d", guest, visit, entries.size());
  }

  /**
   * Counts the entries.
   *
   * @return how many there are
   */
  public int size() {
    return entries.size();
  }
}
