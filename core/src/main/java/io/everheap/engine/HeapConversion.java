package io.everheap.engine;

import io.everheap.encryption.KeyProvider;
import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.RingLayout;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.memory.Exchange;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.RenamedMedium;
import io.everheap.memory.crypt.KeyFile;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.BackupProgress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts a heap, decrypts it, or gives it a new data key. The heap is recovered, checked and
 * closed; then the contents of its files are copied to files with the other encryption, which are
 * compared with the old ones when they are durable, and exchanged for them.
 *
 * <p>What a heap is does not depend on how its files are encrypted, so it keeps its id, its
 * history, its log and what it knows of its last backup.
 */
public final class HeapConversion {
  private static final int CHUNK = 256 << 10;
  private static final List<String> ROOTS = List.of("heap.root", "heap.round");

  private final Medium medium;
  private final BackupProgress progress;
  private final ByteBuffer bytes = ByteBuffer.allocate(CHUNK);
  private final ByteBuffer others = ByteBuffer.allocate(CHUNK);
  private long total;
  private long done;

  private HeapConversion(Medium medium, BackupProgress progress) {
    this.medium = medium;
    this.progress = progress;
  }

  /**
   * Converts a heap.
   *
   * @param medium of the heap, which is not open; stays open
   * @param from the present key; null if the heap is not encrypted
   * @param to the new key, of a new data key; null for none
   * @param options to recover the heap with
   * @param progress called in this thread
   * @throws EncryptionException if the heap is not as {@code from} says, or cannot be encrypted
   * @throws CorruptException if it is damaged; nothing was changed then
   */
  public static void run(
      Medium medium,
      @Nullable KeyProvider from,
      @Nullable KeyProvider to,
      EngineOptions options,
      BackupProgress progress) {
    Exchange.settle(medium);
    HeapFiles.requireHome(medium);
    if (to != null) {
      requirePossible(medium);
    }
    new HeapConversion(medium, progress).run(from, to, options);
  }

  /**
   * Brings a heap to the newest version of encrypted files, unless it has that.
   *
   * @param medium of the heap, which is not open; stays open
   * @param key the present wrapping key, and that of the new data key
   * @param options to recover the heap with
   * @param progress called in this thread
   * @return whether it was converted
   */
  public static boolean upgrade(
      Medium medium, KeyProvider key, EngineOptions options, BackupProgress progress) {
    Exchange.settle(medium);
    HeapFiles.requireHome(medium);
    try (Medium sealed = SealedMedium.with(new RenamedMedium(medium, ""), key)) {
      if (sealed.hasKeyedPages()) {
        return false;
      }
    }
    run(medium, key, key, options, progress);
    return true;
  }

  private static void requirePossible(Medium medium) {
    for (String name : medium.list("")) {
      if (name.startsWith(RegionFile.PREFIX)) {
        throw new EncryptionException(
            "The heap at "
                + medium.location()
                + " has the region "
                + name.substring(RegionFile.PREFIX.length())
                + ", and regions are not encrypted: delete its regions first.");
      }
    }
  }

  private void run(@Nullable KeyProvider from, @Nullable KeyProvider to, EngineOptions options) {
    try (Medium old = open(from)) {
      SealedMedium.requireFiles(medium, to);
      recover(from, options);
      Exchange exchange = Exchange.begin(medium);
      AtomicReference<@Nullable Throwable> lost = new AtomicReference<>();
      try (Medium fresh = SealedMedium.with(exchange.fresh(), to);
          Medium.Watch _ = medium.watch(() -> {}, lost::set)) {
        copy(old, fresh);
        requireOurs(lost.get());
      } catch (RuntimeException | Error e) {
        abandon(exchange, e);
        throw e;
      }
      progress.update("exchanging the files", 1);
      exchange.commit(gone(to != null));
    }
  }

  /** Another process may have opened the heap meanwhile, if this one lost its lock. */
  private void requireOurs(@Nullable Throwable lost) {
    if (lost instanceof RuntimeException e) {
      throw e;
    }
    if (lost instanceof Error e) {
      throw e;
    }
    medium.requireIntact();
  }

  /** The heap as it is, on a medium that does not close the one of this conversion. */
  private Medium open(@Nullable KeyProvider key) {
    return SealedMedium.with(new RenamedMedium(medium, ""), key);
  }

  private static void abandon(Exchange exchange, Throwable failure) {
    try {
      exchange.abandon();
    } catch (RuntimeException e) {
      failure.addSuppressed(e); // the next opening does it
    }
  }

  /** What the heap must not have any more; each is made again, or belongs to the old key. */
  private static Set<String> gone(boolean encrypted) {
    Set<String> gone =
        new HashSet<>(
            Set.of(
                RingLayout.NAME,
                "ring.new",
                "log/new",
                HeapFiles.UNFINISHED,
                ChangedPages.UNFINISHED));
    if (!encrypted) {
      gone.add(KeyFile.NAME);
      gone.addAll(ROOTS);
    }
    return gone;
  }

  /** Opens the heap, which recovers it, compares all pages with their checksums, and closes it. */
  private void recover(@Nullable KeyProvider key, EngineOptions options) {
    progress.update("checking the heap", 0);
    Medium on = open(key);
    Engine engine;
    try {
      engine = Engine.open(on, options.ofReplica()); // nothing but the recovery writes
    } catch (RuntimeException | Error e) {
      on.close();
      throw e;
    }
    try (engine) {
      engine.scrub(
          damage -> {
            throw CorruptException.heap(
                medium.location() + "/" + damage.file(),
                damage.offset(),
                "The heap at "
                    + medium.location()
                    + " is damaged and was not converted: "
                    + damage.file()
                    + " at byte "
                    + damage.offset()
                    + ", "
                    + damage.message()
                    + ". Repair it first (everheap scrub), or restore a backup.");
          });
    }
  }

  private void copy(Medium old, Medium fresh) {
    List<String> names = names(old);
    for (String name : names) {
      try (MediumFile file = old.open(name)) {
        total += 2 * file.size(); // copied and compared
      }
    }
    for (String name : names) {
      if (name.equals(HeapFiles.HOME)) {
        copyHome(old, fresh);
      } else {
        copy(old, fresh, name, at -> {});
      }
    }
    makeChecksums(old, fresh);
    fresh.syncDirectory("log");
    fresh.syncDirectory("");
    for (String name : names) {
      compare(old, fresh, name);
    }
  }

  private static List<String> names(Medium old) {
    List<String> names = new ArrayList<>();
    for (String name : List.of(HeapFiles.HOME, ChangedPages.NAME)) {
      if (old.exists(name)) {
        names.add(name);
      }
    }
    for (String name : old.list("log")) {
      if (HeapRebuild.isLog("log/" + name)) {
        names.add("log/" + name);
      }
    }
    return names;
  }

  /** Copies the home image; no page is copied that is not the one of its checksum. */
  private void copyHome(Medium old, Medium fresh) {
    try (MediumFile home = old.open(HeapFiles.HOME)) {
      Superblock s = new SuperblockStore(old, home).read();
      int extents = (int) ((s.capacity() >>> s.extentShift()) + 1);
      try (var pages = new CheckedPages(old, home, s.uuid(), s.extentShift(), extents)) {
        pages.open();
        pages.openRoot(s);
        copy(
            old,
            fresh,
            HeapFiles.HOME,
            at -> {
              long first = at >>> HomeLayout.PAGE_SHIFT;
              long end = Math.min(at + bytes.limit(), s.capacity()) >>> HomeLayout.PAGE_SHIFT;
              pages.require(first, (int) Math.max(0, end - first), bytes);
            });
      }
    }
  }

  private void copy(Medium old, Medium fresh, String name, LongConsumer check) {
    try (MediumFile source = old.open(name);
        MediumFile target = fresh.create(name)) {
      long size = source.size();
      for (long at = 0; at < size; at += bytes.limit()) {
        int read = read(source, at, bytes);
        check.accept(at);
        if (read % MediumFile.BLOCK == 0 && isZero(bytes)) {
          target.writeZeros(bytes, at);
        } else {
          target.write(bytes, at);
        }
        bytes.clear().limit(read);
        advance("copying", read);
      }
      target.sync();
    }
  }

  private static boolean isZero(ByteBuffer bytes) {
    for (int i = 0; i < bytes.limit(); i += Long.BYTES) {
      if (bytes.getLong(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Fills a buffer, which is ready to be written. */
  private static int read(MediumFile file, long position, ByteBuffer target) {
    int read = file.read(target.clear(), position);
    target.flip();
    return read;
  }

  private void compare(Medium old, Medium fresh, String name) {
    try (MediumFile source = old.open(name);
        MediumFile target = fresh.open(name)) {
      long size = source.size();
      for (long at = 0; at < size; at += bytes.limit()) {
        int length = read(source, at, bytes);
        read(target, at, others);
        if (others.limit() < length || !bytes.equals(others.limit(length))) {
          throw CorruptException.heap(
              "The copy of "
                  + medium.location()
                  + "/"
                  + name
                  + " differs from it behind byte "
                  + at
                  + ": the storage does not return what was written. The heap was not converted.");
        }
        advance("comparing", length);
      }
    }
  }

  private void advance(String what, long count) {
    done += count;
    progress.update(what, total == 0 ? 1 : (double) done / total);
  }

  /** The checksums of the pages, which depend on the key. */
  private static void makeChecksums(Medium old, Medium fresh) {
    try (MediumFile home = old.open(HeapFiles.HOME);
        MediumFile copy = fresh.open(HeapFiles.HOME)) {
      Superblock s = new SuperblockStore(old, home).read();
      if (!s.clean() || !s.checksums()) {
        throw new IllegalStateException("the heap was not closed: " + old.location());
      }
      try (var pages = new CheckedPages(fresh, copy, s.uuid(), s.extentShift(), 1)) {
        pages.build(s.checkpointLsn(), s.capacity());
      }
    }
  }
}
