package io.everheap.salvage;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.DamagedHeap;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.VerifyProgress;
import io.everheap.stability.Evolving;
import io.everheap.structure.Structures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Saves what is readable of a damaged heap into a new one: all roots, by name, with the same types
 * and the same bytes of keys and values, without the classes that they were written with.
 *
 * <p>The damaged heap is never written, and may be on a read-only file system. Its files are copied
 * first, next to the new heap, passing over what cannot be read: there must be room for a copy and
 * for the new heap. On the copy
 *
 * <ul>
 *   <li>the newest superblock that is sound is used, or none: then the size of extents is found by
 *       comparing chunk tables with chunks, and the newest whole part of the log is replayed;
 *   <li>the log is applied up to its damage; if the home image may hold later changes, or the log
 *       does not say, entries may be from different moments, and the report says so;
 *   <li>zeros stand for what the home file lacks;
 *   <li>every root is walked; where a chain is cut, all nodes that nothing leads to are searched
 *       for those that belong there (by bucket, by the tags of the links they hold, by decoding);
 *   <li>structures that no root leads to are saved as {@code salvaged-1} and so on;
 *   <li>raw blocks that no root leads to are saved with new handles; which numbers are handles only
 *       the program knows, so it replaces those that it keeps, by the map {@code salvaged-handles};
 *   <li>regions are copied as they are.
 * </ul>
 *
 * <p>Entries in pages that do not match their checksums are saved as they are and reported as
 * doubtful. Where the home image has no checksums, it cannot detect a value that damage changed
 * into another valid one. Restore a backup if there is one.
 *
 * <p>Takes memory of 1/128 of the bytes in use, 100 bytes for each durable object or raw block, and
 * as much as the largest value.
 *
 * @since 0.9
 */
@Evolving
public final class Salvage {
  private static final String SCRATCH = ".salvage";

  private Salvage() {}

  /**
   * Saves what is readable.
   *
   * @param from directory of the damaged heap, which must not be open for writing
   * @param to directory of the new heap: empty, or not there yet. Beside it a directory with {@code
   *     .salvage} added to its name is made and deleted
   * @param progress is called by this thread
   * @throws IllegalArgumentException if {@code to} is not empty, or within {@code from}, or if the
   *     directory beside it exists already
   * @throws io.everheap.error.EverheapException if there is no heap in {@code from}, it is open for
   *     writing, or the new heap cannot be written
   */
  public static SalvageReport run(Path from, Path to, VerifyProgress progress) {
    HeapBuilder builder = Heap.builder(to).durability(Durability.async(Duration.ofSeconds(1)));
    return run(from, to, builder, progress);
  }

  /**
   * Saves what is readable of an encrypted heap into another encrypted one. What is not authentic
   * is not used: it counts as unreadable. The copy beside the new heap is encrypted, too.
   *
   * @param from directory of the damaged heap, which must not be open for writing
   * @param to directory of the new heap: empty, or not there yet
   * @param keys gives the wrapping key of both; the new heap has another data key
   * @param progress is called by this thread
   * @throws IllegalArgumentException as {@link #run(Path, Path, VerifyProgress)} says
   * @throws io.everheap.error.EncryptionException if the key is another one, the file of keys is
   *     damaged or missing, or the heap is not encrypted: then nothing can be read
   * @throws io.everheap.error.EverheapException if there is no heap in {@code from}, it is open for
   *     writing, or the new heap cannot be written
   */
  public static SalvageReport run(Path from, Path to, KeyProvider keys, VerifyProgress progress) {
    HeapBuilder builder = Heap.builder(to).durability(Durability.async(Duration.ofSeconds(1)));
    return run(from, to, builder.encrypt(keys), keys, progress);
  }

  /** Saves what is readable, with settings for the new heap. */
  static SalvageReport run(Path from, Path to, HeapBuilder builder, VerifyProgress progress) {
    return run(from, to, builder, null, progress);
  }

  private static SalvageReport run(
      Path from,
      Path to,
      HeapBuilder builder,
      @Nullable KeyProvider keys,
      VerifyProgress progress) {
    Path target = to.toAbsolutePath().normalize();
    requireFree(from.toAbsolutePath().normalize(), target);
    Path scratch = target.resolveSibling(target.getFileName() + SCRATCH);
    requireMissing(scratch);
    List<SalvageReport.Range> unreadable = new ArrayList<>();
    Forgeries forgeries = new Forgeries();
    try (Medium source = SealedMedium.with(FileMedium.open(from, true, false), keys, forgeries)) {
      DamagedHeap damaged;
      SalvageCopy files;
      try (Medium copy = SealedMedium.with(FileMedium.open(scratch, false, true), keys)) {
        Engine.requireHeap(source);
        DamagedHeap.requirePlain(source);
        progress.update("copying", 0);
        files = new SalvageCopy(source, copy, unreadable);
        files.run();
        unreadable.addAll(forgeries.ranges(source.location()));
        damaged = DamagedHeap.examine(copy, source);
        damaged.extend(copy);
      }
      Medium medium = SealedMedium.with(FileMedium.open(scratch, true, false), keys);
      try (Engine engine = damaged.open(medium, EngineOptions.defaults());
          Heap heap = builder.open()) {
        SalvageRun run =
            new SalvageRun(Structures.of(engine.context()), heap, damaged::isDamaged, progress);
        SavedRoots[] saved = new SavedRoots[1];
        engine.transactions().quiesced(() -> saved[0] = run.run());
        List<SalvageReport.Region> regions =
            new SalvagedRegions(source, damaged.uuid(), files, heap).run(progress);
        progress.update("done", 1);
        return report(damaged, saved[0], regions, unreadable);
      } finally {
        medium.close();
      }
    } finally {
      delete(scratch);
    }
  }

  private static SalvageReport report(
      DamagedHeap damaged,
      SavedRoots saved,
      List<SalvageReport.Region> regions,
      List<SalvageReport.Range> unreadable) {
    List<String> notes = new ArrayList<>(damaged.notes());
    notes.addAll(saved.notes());
    return new SalvageReport(
        saved.roots(),
        regions,
        notes,
        damaged.isOneState(),
        damaged.transactions(),
        damaged.end(),
        damaged.known(),
        unreadable,
        saved.unassigned());
  }

  private static void requireFree(Path from, Path to) {
    if (to.startsWith(from)) {
      throw new IllegalArgumentException(to + " is within the damaged heap");
    }
    try {
      if (Files.exists(to)) {
        try (Stream<Path> files = Files.list(to)) {
          // lost+found is that of a new volume
          var other = files.filter(file -> !file.endsWith("lost+found")).findFirst();
          if (other.isPresent()) {
            throw new IllegalArgumentException(
                to
                    + " is not empty, it has "
                    + other.get().getFileName()
                    + "; give a new directory");
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Refuses a directory that exists: it would be deleted in the end, and may hold the only copy of
   * something.
   */
  private static void requireMissing(Path scratch) {
    if (Files.exists(scratch, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalArgumentException(
          scratch
              + " exists, and is needed for a copy of the damaged heap. If it is left over from a"
              + " salvage that was killed, delete it; else give another directory for the new heap");
    }
  }

  private static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
