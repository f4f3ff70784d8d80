package io.everheap.engine.home;

import io.everheap.engine.home.RootFile.Root;
import io.everheap.engine.home.Rounds.Touched;
import io.everheap.error.CorruptException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.PageMac;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Binds the entries of an encrypted heap's pages to one moment. Each window of the table has a
 * keyed digest, its <em>seal</em>; the seals and their {@link KeyedSum}, the root, are stored at
 * each checkpoint before its superblock ({@link RootFile}). A window is compared with its seal when
 * it is read. So an opening reads one word for each 2 MiB of the heap, and entries that are
 * authentic but old are refused when they are used, wherever somebody put them back.
 *
 * <p>A seal that is stored leaves out the entries after the last page, and the reach in the first
 * two places. While pages are written, the seals of their windows change in memory only: {@link
 * Rounds} says durably which pages these are, and what the rest of their windows is.
 *
 * <p>Any thread may read a window, and clear or cut the table. The lock of the checkpoints guards
 * everything else; the monitor of this object guards what the file has.
 */
final class WindowSeals implements AutoCloseable {
  private static final int PAGES = ChecksumLayout.WINDOW_PAGES;
  private static final int WINDOW = ChecksumLayout.WINDOW;
  private static final int MAX_CACHED = 2048;
  private static final int MAX_PART = 1 << 16; // windows in a part of the rounds
  private static final BitSet NO_PAGES = new BitSet();

  private final Medium medium;
  private final MediumFile entries;
  private final RootFile file;
  private final Rounds rounds;
  private final PageMac mac;
  private final KeyedSum sum;
  private final String keyName;
  private final BitSet uncertain = new BitSet(); // windows of which it is unknown what they are
  private final AtomicReferenceArray<@Nullable Cached> cache =
      new AtomicReferenceArray<>(MAX_CACHED);

  private volatile Root root = Root.NONE;
  private long[] stored = {}; // seals as of the root
  private volatile long[] live = {}; // seals of what the file has, with all entries
  private final AtomicLong writes = new AtomicLong();
  private @Nullable Pending pending;
  private long reached; // as of the opening

  /** A root that counts when the superblock of its checkpoint is durable. */
  private static final class Pending {
    final Root root;
    final long[] seals;
    final BitSet changed; // windows whose seals may differ from those that are stored

    Pending(Root root, long[] seals, BitSet changed) {
      this.root = root;
      this.seals = seals;
      this.changed = changed;
    }
  }

  /** A window that was compared with its seal; nobody changes the buffer. */
  private record Cached(int window, ByteBuffer contents) {}

  private WindowSeals(Medium medium, MediumFile entries, RootFile file, MediumFile rounds) {
    this.medium = medium;
    this.entries = entries;
    this.file = file;
    this.rounds = new Rounds(rounds, medium.derivedKey("rounds of a checkpoint"));
    this.mac = new PageMac(medium.derivedKey("windows of entries"));
    this.sum = new KeyedSum(medium.derivedKey("root of windows"));
    this.keyName = HexFormat.of().formatHex(medium.derivedKey("name of the data key"), 0, 8);
  }

  /** Makes the files, for a table without entries. */
  static WindowSeals create(Medium medium, MediumFile entries) {
    medium.delete(RootFile.NAME);
    medium.delete(Rounds.NAME);
    RootFile file = new RootFile(medium.create(RootFile.NAME));
    return new WindowSeals(medium, entries, file, medium.create(Rounds.NAME));
  }

  /** Takes the space for the seals of windows, and for rounds with all of them. */
  private void reserve(int windows) {
    file.reserve(windows);
    rounds.reserve(windows);
  }

  /**
   * Opens the files.
   *
   * @param lsn of the last checkpoint
   * @param pages of the image at that checkpoint
   * @param allPages that the home image has place for
   * @param writing whether pages may have been written since
   * @throws CorruptException if the files are not those of that checkpoint
   */
  static WindowSeals open(
      Medium medium, MediumFile entries, long lsn, long pages, long allPages, boolean writing) {
    for (String name : List.of(RootFile.NAME, Rounds.NAME)) {
      if (!medium.exists(name)) {
        throw CorruptException.heap(
            medium.location() + "/" + name + " is missing. Restore the heap from a copy.");
      }
    }
    RootFile file = new RootFile(medium.open(RootFile.NAME));
    WindowSeals seals = new WindowSeals(medium, entries, file, medium.open(Rounds.NAME));
    boolean opened = false;
    try {
      seals.read(lsn, pages, allPages, writing);
      opened = true;
      return seals;
    } finally {
      if (!opened) {
        seals.close();
      }
    }
  }

  private synchronized void read(long lsn, long pages, long allPages, boolean writing) {
    // A killed process may not have synced its last root, and a copy may never have been synced.
    if (!medium.readOnly()) {
      file.sync();
      if (writing) { // otherwise nothing depends on the rounds
        rounds.sync();
      }
    }
    boolean announced = rounds.read(lsn);
    if (writing && !announced) {
      throw refused(
          Rounds.NAME, "does not say which pages were written since the checkpoint at LSN " + lsn);
    }
    Root found = file.find(lsn, writing ? rounds.root() : -1);
    if (found == null || found.pages() != pages) {
      throw refused(RootFile.NAME, "has no root of the checkpoint at LSN " + lsn);
    }
    root = found;
    if (announced && rounds.root() == found.sequence()) {
      reached = rounds.reach(); // in a copy the superblock may be older
    }
    if (!writing) {
      rounds.prepare();
      rounds.begin();
    }
    stored = file.seals(windowsOf(pages));
    for (Touched t : rounds.windows()) {
      if (t.window() < stored.length) {
        stored[t.window()] = t.before(); // the next checkpoint may have begun to write it
      }
    }
    add(stored);
    if (!root.has(sum)) {
      throw refused(RootFile.NAME, "has seals of another moment than its root");
    }
    long all = Math.max(allPages, entries.size() / ChecksumLayout.ENTRY_BYTES);
    live = Arrays.copyOf(stored, Math.max(stored.length, windowsOf(all)));
    uncertain.set(stored.length, live.length + 1); // no root covers what follows the last page
    for (Touched t : rounds.windows()) {
      if (sealOfRest(t.window(), readWindow(t.window()), t.pages()) != t.rest()) {
        throw stale(t.window());
      }
      adopt(t.window());
    }
    int last = (int) (pages / PAGES);
    if (last < stored.length && rounds.window(last) == null) { // it may have more entries
      if (sealOfRest(last, readWindow(last), NO_PAGES) != stored[last]) {
        throw stale(last);
      }
      adopt(last);
    }
  }

  /** Takes over what the file has. */
  private void adopt(int window) {
    growTo(window + 1);
    live[window] = seal(window, readWindow(window));
    uncertain.clear(window);
  }

  private void growTo(int windows) {
    if (live.length < windows) {
      live = Arrays.copyOf(live, windows);
    }
  }

  private void add(long[] seals) {
    sum.set(0, 0);
    for (int window = 0; window < seals.length; window++) {
      sum.replace(window, 0, seals[window]);
    }
  }

  private static int windowsOf(long pages) {
    return Math.toIntExact((pages + PAGES - 1) / PAGES);
  }

  /**
   * A window that was compared with its seal; the caller must not change it.
   *
   * @throws CorruptException if it is not the one that was written last
   */
  ByteBuffer window(int window) {
    Cached cached = cache.get(window % MAX_CACHED);
    if (cached != null && cached.window == window) {
      return cached.contents;
    }
    ByteBuffer found = lookUp(window);
    if (found == null) {
      throw stale(window);
    }
    return found;
  }

  /** Reads a window from the file; null if it is not the one that was written last. */
  @Nullable ByteBuffer lookUp(int window) {
    long before = writes.get();
    long[] seals = live;
    ByteBuffer contents = readWindow(window);
    if (seal(window, contents) == (window < seals.length ? seals[window] : 0)) {
      remember(window, contents, before);
      return contents;
    }
    return lookAgain(window); // another thread may have written it
  }

  private synchronized @Nullable ByteBuffer lookAgain(int window) {
    growTo(window + 1);
    ByteBuffer contents = readWindow(window);
    long seal = seal(window, contents);
    if (uncertain.get(window)) { // what is there counts
      live[window] = seal;
      uncertain.clear(window);
    }
    return seal == live[window] ? contents : null;
  }

  private synchronized void remember(int window, ByteBuffer contents, long before) {
    if (writes.get() == before) {
      cache.set(window % MAX_CACHED, new Cached(window, contents));
    }
  }

  private ByteBuffer readWindow(int window) {
    ByteBuffer b = ByteBuffer.allocate(WINDOW).order(ByteOrder.LITTLE_ENDIAN);
    entries.read(b, (long) window * WINDOW); // what the file does not have is zero
    return b.clear();
  }

  /** Writes a part of a window. */
  synchronized void write(int window, ByteBuffer contents, int from, int to) {
    ByteBuffer next = copy(window(window));
    next.put(from, contents, from, to - from);
    long[] seals = {seal(window, next)};
    Cached written = new Cached(window, next);
    change(window, seals, () -> entries.write(slice(next, from, to), position(window, from)));
    cache.set(window % MAX_CACHED, written);
  }

  private static ByteBuffer slice(ByteBuffer window, int from, int to) {
    return window.slice(from, to - from);
  }

  private static long position(int window, int offset) {
    return (long) window * WINDOW + offset;
  }

  /**
   * Changes windows of the file, and their seals. Until both are changed it is unknown what the
   * windows are, also after an error at any place.
   */
  private void change(int first, long[] seals, Runnable action) {
    int end = first + seals.length;
    growTo(end);
    uncertain.set(first, end);
    forget(first, end);
    try {
      action.run();
    } finally {
      writes.incrementAndGet();
      forget(first, end);
    }
    System.arraycopy(seals, 0, live, first, seals.length);
    uncertain.clear(first, end);
  }

  private void forget(int first, int end) {
    for (int window = first; window < end && window < first + MAX_CACHED; window++) {
      cache.set(window % MAX_CACHED, null);
    }
  }

  /** Writes zeros to the entries of pages, by the given action. */
  synchronized void clear(long fromPage, long toPage, Runnable zeros) {
    int first = (int) (fromPage / PAGES);
    int end = windowsOf(toPage);
    reserve(end);
    long[] seals = new long[end - first];
    sealCleared(seals, first, first, fromPage, toPage);
    sealCleared(seals, first, end - 1, fromPage, toPage);
    change(first, seals, zeros);
  }

  private void sealCleared(long[] seals, int first, int window, long fromPage, long toPage) {
    long start = (long) window * PAGES;
    int from = (int) Math.max(0, fromPage - start);
    int to = (int) Math.min(PAGES, toPage - start);
    if (from > 0 || to < PAGES) {
      ByteBuffer rest = copy(window(window));
      zero(rest, from, to);
      seals[window - first] = seal(window, rest);
    }
  }

  /** Cuts the table before a page, by the given action. */
  synchronized void truncate(long page, Runnable cut) {
    int kept = (int) (page % PAGES);
    int windows = windowsOf(page);
    growTo(windows);
    long[] seals = Arrays.copyOfRange(live, windows - (kept == 0 ? 0 : 1), live.length);
    if (kept > 0) {
      ByteBuffer rest = copy(window(windows - 1));
      zero(rest, kept, PAGES);
      seals[0] = seal(windows - 1, rest);
    }
    Arrays.fill(seals, kept == 0 ? 0 : 1, seals.length, 0);
    change(live.length - seals.length, seals, cut);
  }

  /**
   * Says durably that pages are about to be written.
   *
   * @param pages numbers, ascending, from index {@code from} to {@code to - 1}
   * @param reach the LSN below which all changes in them are; the log is durable up to there
   * @param how syncs a file
   */
  void announce(long[] pages, int from, int to, long reach, Consumer<MediumFile> how) {
    List<Touched> touched = new ArrayList<>();
    int end;
    for (int start = from; start < to; start = end) {
      int window = (int) (pages[start] / PAGES);
      BitSet all = new BitSet();
      for (end = start; end < to && pages[end] / PAGES == window; end++) {
        all.set((int) (pages[end] % PAGES));
      }
      Touched known = rounds.window(window);
      int count = all.cardinality();
      if (known != null) {
        count = known.pages().cardinality();
        all.or(known.pages());
      }
      if (known == null || all.cardinality() > count) {
        touched.add(touched(window, all));
      }
    }
    if (!touched.isEmpty() || reach > rounds.reach() || !rounds.isBegun()) {
      announce(touched, reach, how);
    }
  }

  private void announce(List<Touched> touched, long reach, Consumer<MediumFile> how) {
    int from = 0;
    do {
      List<Touched> part = touched.subList(from, Math.min(touched.size(), from + MAX_PART));
      how.accept(rounds.write(root.lsn(), root.sequence(), reach, part));
      rounds.keep(reach, part);
      from += MAX_PART;
    } while (from < touched.size());
  }

  private Touched touched(int window, BitSet pages) {
    long rest = sealOfRest(window, window(window), pages);
    return new Touched(window, window < stored.length ? stored[window] : 0, rest, pages);
  }

  /** Whether a page was announced since the last checkpoint. */
  boolean isAnnounced(long page) {
    Touched t = rounds.window((int) (page / PAGES));
    return t != null && t.pages().get((int) (page % PAGES));
  }

  /** Adds the pages that were announced since the last checkpoint to a set. */
  void addAnnounced(PageSet pages) {
    for (Touched t : rounds.windows()) {
      t.pages().stream().forEach(at -> pages.addPage((long) t.window() * PAGES + at));
    }
  }

  /** The LSN below which all changes are that pages may have; 0 if none was written. */
  long reach() {
    return Math.max(reached, rounds.reach());
  }

  /**
   * Prepares the root of a checkpoint.
   *
   * @param lsn of the checkpoint
   * @param pages of the image
   * @param how syncs a file
   * @return whether something was announced since the last checkpoint, so that a superblock must
   *     say that pages are written
   */
  boolean prepare(long lsn, long pages, Consumer<MediumFile> how) {
    settle(windowsOf(pages));
    long[] seals = Arrays.copyOf(stored, windowsOf(pages));
    BitSet changed = changed(pages);
    List<Touched> late = new ArrayList<>();
    for (int w = changed.nextSetBit(0); w >= 0; w = changed.nextSetBit(w + 1)) {
      seals[w] = pages < (w + 1L) * PAGES ? sealBefore(w, pages) : live[w];
      boolean announced = rounds.window(w) != null;
      if (w < stored.length && seals[w] != stored[w] && !announced) {
        late.add(touched(w, new BitSet()));
      }
    }
    sum.set(root.high(), root.low());
    for (int w = changed.nextSetBit(0); w >= 0; w = changed.nextSetBit(w + 1)) {
      sum.replace(w, w < stored.length ? stored[w] : 0, seals[w]);
    }
    for (int w = seals.length; w < stored.length; w++) {
      sum.replace(w, stored[w], 0);
    }
    Root next = new Root(lsn, root.sequence() + 1, pages, sum.high(), sum.low());
    pending = new Pending(next, seals, changed);
    rounds.prepare();
    if (!late.isEmpty()) {
      announce(late, rounds.reach(), how);
    }
    return rounds.isBegun();
  }

  /** Takes over what failed writes have left. */
  private synchronized void settle(int windows) {
    growTo(windows);
    for (int w = uncertain.nextSetBit(0); w >= 0 && w < windows; w = uncertain.nextSetBit(w + 1)) {
      adopt(w);
    }
  }

  /** The windows whose seals may differ from those that are stored. */
  private BitSet changed(long pages) {
    BitSet changed = new BitSet();
    rounds.windows().forEach(t -> changed.set(t.window()));
    changed.set((int) (root.pages() / PAGES), Math.max(windowsOf(pages), stored.length) + 1);
    changed.set((int) (pages / PAGES));
    changed.clear(windowsOf(pages), Integer.MAX_VALUE);
    return changed;
  }

  /** Writes the root that was prepared; the caller syncs the file. */
  MediumFile writeRoot() {
    Pending p = prepared();
    return file.write(p.root, p.seals, stored, p.changed);
  }

  /**
   * The superblock of the checkpoint is durable. Nothing is allocated: no error may come between.
   */
  void complete() {
    Pending p = prepared();
    root = p.root;
    stored = p.seals;
    rounds.begin();
    pending = null;
  }

  private Pending prepared() {
    Pending p = pending;
    if (p == null) {
      throw new IllegalStateException("no root was prepared");
    }
    return p;
  }

  /** The state of all pages as of the last checkpoint. */
  PageState state() {
    Root last = root;
    HexFormat hex = HexFormat.of();
    return new PageState(
        last.lsn(), keyName + hex.toHexDigits(last.high()) + hex.toHexDigits(last.low()));
  }

  /** Whether the files still have the root, and the seals of windows that were not announced. */
  boolean isStored() {
    long[] found = file.seals(stored.length);
    for (int window = 0; window < found.length; window++) {
      if (found[window] != stored[window] && rounds.window(window) == null) {
        return false;
      }
    }
    return root.equals(file.find(root.lsn(), root.sequence()));
  }

  private CorruptException refused(String name, String what) {
    return CorruptException.heap(
        medium.location()
            + "/"
            + name
            + " "
            + what
            + ": the files of this heap are of different moments. Restore it from a copy.");
  }

  /** Says that entries are authentic but old. */
  static String staleness(long fromPage) {
    return "the checksums from page "
        + fromPage
        + " on are of another moment than the rest of the heap: an older state was put back";
  }

  private CorruptException stale(int window) {
    String path = medium.location() + "/" + ChecksumLayout.NAME;
    long offset = position(window, 0);
    return CorruptException.heap(
        path,
        offset,
        path
            + " was changed at byte "
            + offset
            + ": "
            + staleness((long) window * PAGES)
            + ". Restore the heap from a copy.");
  }

  /** The seal of all entries of a window. */
  private long seal(int window, ByteBuffer contents) {
    if (window > 0) {
      return sealOf(window, contents);
    }
    ByteBuffer pages = copy(contents);
    zero(pages, 0, (int) ChecksumLayout.FIRST_PAGE);
    return sealOf(window, pages);
  }

  /** The seal of the entries before a page. */
  private long sealBefore(int window, long end) {
    ByteBuffer rest = copy(window(window));
    cut(rest, window, end);
    return seal(window, rest);
  }

  /** The seal of the entries as of the root, without some pages. */
  private long sealOfRest(int window, ByteBuffer contents, BitSet without) {
    ByteBuffer rest = copy(contents);
    without.stream().forEach(at -> zero(rest, at, at + 1));
    cut(rest, window, root.pages());
    return seal(window, rest);
  }

  private static void cut(ByteBuffer contents, int window, long end) {
    long first = (long) window * PAGES;
    if (end < first + PAGES) {
      zero(contents, (int) Math.max(0, end - first), PAGES);
    }
  }

  private long sealOf(int window, ByteBuffer contents) {
    return PageEntries.isZero(contents, 0) ? 0 : mac.of(window, contents, 0);
  }

  private static ByteBuffer copy(ByteBuffer contents) {
    ByteBuffer copy = ByteBuffer.allocate(WINDOW).order(ByteOrder.LITTLE_ENDIAN);
    return copy.put(0, contents, 0, WINDOW);
  }

  private static void zero(ByteBuffer contents, int from, int to) {
    for (int page = from; page < to; page++) {
      contents.putLong(page * ChecksumLayout.ENTRY_BYTES, 0);
    }
  }

  @Override
  public void close() {
    file.close();
    rounds.close();
  }
}
