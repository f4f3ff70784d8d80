package io.everheap.cache.store;

import io.everheap.cache.format.Span;
import io.everheap.cache.format.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One opening of a cache.
 *
 * @param recovered the largest sequence of earlier openings
 * @param sequence the largest one that was given out when this opening began
 * @param settled an entry up to this sequence that can be found is the only one of its key that can
 * @param unknown the last opening did not find all entries up to this sequence; 0 if it did, or if
 *     there were none
 */
record Epoch(long recovered, long sequence, long settled, long unknown) {
  /** How many sequences a superblock reserves. */
  static final long RESERVE = 1L << 36;

  /**
   * Begins an epoch; entries may change when all files know it.
   *
   * @param token entries written under another one are not served; null for any
   * @param isMixed whether no entry of earlier openings is to be served
   * @param eachDurable whether entries count after a power loss without a sync
   */
  static Epoch begin(
      List<CacheFile> files,
      Superblocks superblocks,
      @Nullable Long token,
      boolean isMixed,
      boolean eachDurable) {
    State last = superblocks.state();
    UUID kernel = UUID.nameUUIDFromBytes(incarnation(files).getBytes(StandardCharsets.UTF_8));
    long devices = 0;
    for (CacheFile file : files) {
      devices ^= file.identity().device();
    }
    List<Span> voids = new ArrayList<>(last.voids());
    boolean powerLost = !last.has(State.CLEAN) && !last.incarnation().equals(kernel);
    if (powerLost && !last.has(State.EACH_DURABLE)) {
      voids.add(new Span(last.synced(), last.reserved()));
    }
    boolean leftByAKill = !last.has(State.CLEAN) && !powerLost;
    if (leftByAKill && eachDurable && !last.has(State.EACH_DURABLE)) {
      files.forEach(CacheFile::sync); // from now on it counts after a power loss
    }
    long recovered = last.reserved();
    long sequence = recovered;
    long first = last.validFrom();
    boolean partOfListMissing = last.has(State.SCANNING) && last.devices() != devices;
    boolean otherToken = token != null && token != last.token();
    if (partOfListMissing || isMixed || otherToken || voids.size() > State.MAX_VOIDS) {
      first = ++sequence;
      voids.clear();
    }
    long synced = last.has(State.CLEAN) ? last.reserved() : last.synced();
    boolean noneServed = first > recovered;
    if (last.formed() == 0 || noneServed) { // entries of builds that do not know of forms, or none
      last = last.formed(sequence + 1).flag(State.REFORMED, noneServed);
    }
    State next =
        last.opening(devices, kernel)
            .token(token == null ? last.token() : token, first)
            .voids(voids)
            .synced(synced)
            .reserved(recovered + RESERVE)
            .flag(State.CLEAN, false)
            .flag(State.SCANNING, true)
            .flag(State.EACH_DURABLE, eachDurable);
    superblocks.update(state -> next);
    superblocks.update(State::activated);
    long unknown = last.has(State.SCANNING) ? last.reserved() - RESERVE : 0;
    return new Epoch(recovered, sequence, settled(last, synced), unknown);
  }

  /**
   * Of two entries of a key that a crash left, the newer one was not synced then; but it may have
   * been by openings since that did not find both.
   */
  private static long settled(State last, long synced) {
    return last.has(State.SCANNING) ? 0 : synced;
  }

  private static String incarnation(List<CacheFile> files) {
    StringBuilder text = new StringBuilder();
    files.forEach(file -> text.append(file.incarnation()).append('\n'));
    return text.toString();
  }
}
