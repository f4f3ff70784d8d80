package io.everheap.engine.home;

import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The file of page checksums, read and written in windows of 512 entries, so that the entries of
 * consecutive pages cost one read and one write. Used by one thread at a time, except {@link
 * #clear}, which never writes to a sector that another operation writes.
 */
final class ChecksumTable implements AutoCloseable {
  private static final int WINDOW = ChecksumLayout.WINDOW;
  private static final int PAGES = ChecksumLayout.WINDOW_PAGES;
  private static final int SECTOR = 512;
  private static final int ZEROS = 1 << 16;

  private final MediumFile file;

  /** The digest of the entries of an encrypted heap of version 1; null if there is none. */
  private @Nullable PageRoot root;

  /** The seals of the windows of an encrypted heap; null if there are none. */
  private @Nullable WindowSeals seals;

  private final ByteBuffer window =
      ByteBuffer.allocateDirect(WINDOW).order(ByteOrder.LITTLE_ENDIAN);
  private long loaded = -1;
  private int changedFrom = WINDOW;
  private int changedTo;

  ChecksumTable(MediumFile file) {
    this.file = file;
  }

  /** Keeps a root up to date from now on; closed with the table. */
  void keep(PageRoot rootOfEntries) {
    root = rootOfEntries;
  }

  /** The root, or null. */
  @Nullable PageRoot root() {
    return root;
  }

  /** Compares each window with its seal from now on; closed with the table. */
  void keep(WindowSeals sealsOfWindows) {
    seals = sealsOfWindows;
  }

  /** The seals, or null. */
  @Nullable WindowSeals seals() {
    return seals;
  }

  /** Number of entries that the file has place for. */
  long size() {
    return file.size() / ChecksumLayout.ENTRY_BYTES;
  }

  /** Drops the window, since {@link #clear} may have changed the file. */
  void begin() {
    if (changedFrom < changedTo && root != null) {
      root.spoil(); // a failure came between, and these entries never reached the file
    }
    window.clear(); // a write that failed leaves its range
    loaded = -1;
    changedFrom = WINDOW;
    changedTo = 0;
  }

  /** The entry of a page; 0 if the file has none. Any thread; the window stays as it is. */
  long lookUp(long page) {
    WindowSeals kept = seals;
    if (kept != null) {
      return kept.window((int) (page / PAGES)).getLong(offset(page));
    }
    ByteBuffer entry = ByteBuffer.allocate(ChecksumLayout.ENTRY_BYTES);
    file.read(entry, ChecksumLayout.position(page));
    return entry.order(ByteOrder.LITTLE_ENDIAN).getLong(0);
  }

  private static int offset(long page) {
    return (int) (page % PAGES) * ChecksumLayout.ENTRY_BYTES;
  }

  /** The entry of a page; 0 if the file has none. */
  long entry(long page) {
    return window.getLong(seek(page));
  }

  /** Changes an entry; {@link #flush} writes it to the file. */
  void put(long page, long entry) {
    int at = seek(page);
    if (root != null) {
      root.replace(page, window.getLong(at), entry);
    }
    window.putLong(at, entry);
    changedFrom = Math.min(changedFrom, at & -SECTOR);
    changedTo = Math.max(changedTo, (at & -SECTOR) + SECTOR);
  }

  private int seek(long page) {
    long wanted = page / PAGES;
    if (wanted != loaded) {
      flush();
      loaded = -1;
      load(wanted);
      loaded = wanted;
    }
    return offset(page);
  }

  private void load(long wanted) {
    WindowSeals kept = seals;
    if (kept != null) {
      window.clear().put(0, kept.window((int) wanted), 0, WINDOW);
      return;
    }
    int read = file.read(window.clear(), wanted * WINDOW);
    for (int i = read; i < WINDOW; i++) {
      window.put(i, (byte) 0);
    }
  }

  /** Writes the changed entries, in whole sectors; not durable. */
  void flush() {
    if (changedFrom < changedTo) {
      window.limit(changedTo).position(changedFrom);
      boolean written = false;
      try {
        if (seals != null) {
          seals.write((int) loaded, window, changedFrom, changedTo);
        } else {
          file.write(window, loaded * WINDOW + changedFrom);
        }
        written = true;
      } finally {
        if (!written && root != null) {
          root.spoil();
        }
      }
      window.clear();
      changedFrom = WINDOW;
      changedTo = 0;
    }
  }

  /** Writes zeros to the entries of whole chunks, which also allocates their space on the disk. */
  void clear(long fromPage, long toPage) {
    WindowSeals sealed = seals;
    if (sealed != null) {
      sealed.clear(fromPage, toPage, () -> writeZeros(fromPage, toPage));
      return;
    }
    PageRoot kept = root;
    if (kept == null) {
      writeZeros(fromPage, toPage);
      return;
    }
    synchronized (kept) { // a checkpoint may be reading the entries
      forget(kept, fromPage, toPage);
      writeZeros(fromPage, toPage);
    }
  }

  private void writeZeros(long fromPage, long toPage) {
    ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
    long to = ChecksumLayout.position(toPage);
    for (long at = ChecksumLayout.position(fromPage); at < to; at += ZEROS) {
      file.write(zeros.clear().limit((int) Math.min(ZEROS, to - at)), at);
    }
  }

  /** Drops the entries from a page on. */
  void truncate(long page) {
    WindowSeals sealed = seals;
    if (sealed != null) {
      sealed.truncate(page, () -> file.truncate(ChecksumLayout.position(page)));
      return;
    }
    if (root != null) {
      forget(root, page, Long.MAX_VALUE);
    }
    file.truncate(ChecksumLayout.position(page));
  }

  /** Takes entries that will be cleared out of the root. */
  private void forget(PageRoot kept, long fromPage, long toPage) {
    ChecksumTable reader = new ChecksumTable(file); // another thread may use this window
    long end = Math.min(toPage, size());
    for (long page = fromPage; page < end; page++) {
      kept.replace(page, reader.entry(page), 0);
    }
  }

  MediumFile file() {
    return file;
  }

  @Override
  public void close() {
    if (root != null) {
      root.close();
    }
    if (seals != null) {
      seals.close();
    }
    file.close();
  }
}
