package io.everheap.check;

import io.everheap.durable.type.ObjectImage;
import io.everheap.engine.Engine;
import io.everheap.engine.FileCheck;
import io.everheap.engine.RecoveryReport;
import io.everheap.engine.RegionFile;
import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.AllocationWalker;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.CheckedPages.PageDamage;
import io.everheap.engine.home.ChecksumLayout;
import io.everheap.engine.home.HomeLayout;
import io.everheap.error.CorruptException;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import io.everheap.report.VerifyReport.Problem;
import io.everheap.report.VerifyReport.RawBlock;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks a heap from the roots and from the allocator, and compares the two: every block that a
 * structure owns must be allocated and have one owner, and every allocated block of the library's
 * types must have an owner. Structures that no root leads to are checked like the others and
 * counted; they are not damage. Neither are raw blocks whose handle is nowhere in the heap, which a
 * {@link HandleSearch} finds. If problems are found, the roots are walked once more to find the
 * owners of the damaged places.
 *
 * <p>Used by one thread, once. Writers wait while structures are checked.
 */
public final class HeapVerifier implements RootWalk.Findings {
  private static final String HOME = FileCheck.HOME;

  /** Estimated share of the time that the walk from the roots takes. */
  private static final double ROOTS_PART = 0.8;

  private final Engine engine;
  private final StructureContext heap;
  private final VerifyProgress progress;
  private final List<Found> problems = new ArrayList<>();
  private final List<Problem> dangling = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private final BlockSet owned;
  private final List<String> cut = new ArrayList<>();
  private List<Problem> named = List.of();
  private String owner = "";
  private long found;
  private long foundDangling;
  private final List<Problem> undecodable = new ArrayList<>();
  private long foundUndecodable;
  private final List<RawBlock> unreferenced = new ArrayList<>();
  private long foundUnreferenced;
  private long unreferencedBytes;
  private long roots;
  private long entries;
  private long blocks;
  private long ownedBlocks;
  private long bytes;
  private long unreachable;
  private final long used;

  /** Blocks without an owner so far; null until the allocator's blocks were compared. */
  private @Nullable BlockSet unowned;

  /** A problem; the owner is empty if it is not known yet. The place is from offset to end. */
  private record Found(
      String kind, String owner, String file, long offset, long end, String key, String message) {}

  /**
   * Creates a check of an open heap.
   *
   * @param progress called by the checking thread
   */
  public HeapVerifier(Engine engine, StructureContext heap, VerifyProgress progress) {
    this.engine = engine;
    this.heap = heap;
    this.progress = progress;
    this.owned = new BlockSet(heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS));
    this.used = Math.max(1, blocks(heap));
  }

  /** The number of allocated blocks; an estimate for the progress. */
  private static long blocks(StructureContext heap) {
    try {
      return heap.allocator().stats().blocks();
    } catch (RuntimeException e) {
      return Long.MAX_VALUE; // damaged tables: the check says where
    }
  }

  /** Checks everything; waits for the running transaction, and keeps others out meanwhile. */
  public VerifyReport verify() {
    engine.scrub(this::add);
    heap.transactions().quiesced(this::check);
    RecoveryReport recovery = engine.recovery();
    return new VerifyReport(
        named,
        found,
        dangling,
        foundDangling,
        undecodable,
        foundUndecodable,
        unreferenced,
        foundUnreferenced,
        unreferencedBytes,
        skipped,
        roots,
        entries,
        unreachable,
        blocks,
        bytes,
        recovery.transactions(),
        recovery.bytes(),
        recovery.tornBytes());
  }

  private void add(PageDamage d) {
    boolean ofPage = d.file().equals(HOME);
    long end = d.offset() + (ofPage ? HomeLayout.PAGE_SIZE : ChecksumLayout.ENTRY_BYTES);
    add(new Found("checksum", "", d.file(), d.offset(), end, "", d.message()));
  }

  private void check() {
    for (FileCheck.Finding f : engine.superblocks()) {
      add(new Found(f.kind(), "", f.file(), f.offset(), f.offset(), "", f.message()));
    }
    checkRegions();
    RootWalk walk = new RootWalk(heap, this);
    walk.run();
    owner = "";
    compare(walk);
    named = name();
    progress.update("done", 1);
  }

  private void checkRegions() {
    for (String name : engine.regions().names()) {
      try {
        long size = engine.regions().size(name);
        progress.update("region " + name + " of " + size + " bytes", 0);
      } catch (CorruptException e) {
        String file = RegionFile.PREFIX + name;
        add(new Found("region", "", file, 0, 0, "", String.valueOf(e.getMessage())));
      }
    }
  }

  @Override
  public void begin(String name) {
    owner = name;
  }

  @Override
  public void root(
      String name, long reference, @Nullable StructureKind kind, List<@Nullable String> types) {
    roots++;
    owner = name;
  }

  @Override
  public boolean owned(long reference) {
    if ((++ownedBlocks & 0xfff) == 0) {
      progress.update(owner, Math.min(1, (double) ownedBlocks / used) * ROOTS_PART);
    }
    BlockSet left = unowned;
    if (left == null ? !owned.add(reference) : !left.remove(reference)) {
      long address = Reference.address(reference);
      add("double reference", "", address, address + 1, "", "the block is owned twice");
      return false;
    }
    return true;
  }

  @Override
  public void counted() {
    entries++;
  }

  @Override
  public void cut(long first, long end) {
    if (cut.isEmpty() || !cut.getLast().equals(owner)) {
      cut.add(owner);
    }
  }

  @Override
  public void undecodable(long address, @Nullable Object key, String message) {
    foundUndecodable++;
    if (undecodable.size() < VerifyReport.MAX_PROBLEMS) {
      String text = key == null ? "" : String.valueOf(key);
      undecodable.add(new Problem("undecodable", owner, HOME, address, text, message));
    }
  }

  /** In an unreachable structure no problem: a collection that was interrupted leaves such ones. */
  @Override
  public void dangling(long address, @Nullable Object key, String message) {
    if (owner.equals(RootWalk.UNREACHABLE)) {
      return;
    }
    foundDangling++;
    if (dangling.size() < VerifyReport.MAX_PROBLEMS) {
      String text = key == null ? "" : String.valueOf(key);
      dangling.add(new Problem("dangling reference", owner, HOME, address, text, message));
    }
  }

  @Override
  public void skipped(String what) {
    if (skipped.size() < VerifyReport.MAX_PROBLEMS) {
      skipped.add(what);
    }
  }

  @Override
  public void problem(String kind, long address, @Nullable String key, String message) {
    boolean ofCatalog = owner.equals(RootWalk.ROOTS);
    String said = kind;
    if (owner.equals(RootWalk.PENDING)) {
      said = owner;
    } else if (ofCatalog) {
      said = "catalog";
    } else if (owner.equals(RootWalk.TYPES)) {
      said = "type";
    }
    add(said, owner, address, address + 1, key == null ? "" : key, message);
  }

  private void add(
      String kind, String of, long address, long end, String key, @Nullable String message) {
    add(new Found(kind, of, HOME, address, end, key, String.valueOf(message)));
  }

  private void add(Found problem) {
    found++;
    if (problems.size() < VerifyReport.MAX_PROBLEMS) {
      problems.add(problem);
    }
  }

  private void compare(RootWalk walk) {
    BlockSet left = new BlockSet(heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS));
    BlockSet headers = new BlockSet(heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS));
    HandleSearch handles = new HandleSearch(heap);
    AllocationWalker walker = new AllocationWalker(heap.memory(), heap.extentShift());
    walker.walk(
        new AllocationVisitor() {
          @Override
          public void chunk(int chunk, int chunks) {
            progress.update("blocks", ROOTS_PART + (1 - ROOTS_PART) * chunk / chunks);
          }

          @Override
          public void block(long reference, int type, long size) {
            blocks++;
            bytes += size;
            if (owned.remove(reference)) {
              return;
            }
            if (type == BlockType.RAW) {
              handles.add(reference);
            } else if (type != BlockType.FIRST_USER_TYPE) { // number 0, which is never assigned
              left.add(reference);
              if (heap.kinds().isHeader(type) || ObjectImage.isObject(type)) {
                headers.add(reference);
              }
            }
          }

          @Override
          public void problem(long address, String message) {
            add("allocation", "", address, address + 1, "", message);
          }
        });
    owned.forEach(
        address ->
            add(
                "reference",
                "",
                address,
                address + 1,
                "",
                "the block is owned, but the chunk's bitmap does not have it as allocated"));
    unowned = left;
    headers.forEach(address -> walk.unreachable(reference(address)));
    owner = "";
    left.forEach(address -> leak(reference(address)));
    if (found > 0 || !handles.run(progress, this::unreferenced)) {
      skipped("which raw blocks are unreferenced: damage may hide their handles");
    }
  }

  private void unreferenced(RawBlock block) {
    foundUnreferenced++;
    unreferencedBytes += Allocator.footprint(block.size());
    if (unreferenced.size() < VerifyReport.MAX_PROBLEMS) {
      unreferenced.add(block);
    }
  }

  private long reference(long address) {
    return Reference.withGenerationOf(address, heap.memory().getLong(address));
  }

  @Override
  public void nested(long reference, @Nullable StructureKind kind, List<@Nullable String> types) {
    if (unowned != null) {
      owner = RootWalk.UNREACHABLE;
      unreachable++;
    }
  }

  private void leak(long reference) {
    int type = heap.allocator().type(reference);
    String message = "the block, of type " + type + ", is allocated, but nothing owns it";
    if (!cut.isEmpty()) {
      message += "; it may belong to the damaged part of " + String.join(", ", cut);
    }
    long address = Reference.address(reference);
    add("leak", "", address, address + 1, "", message);
  }

  /** The problems, with the owners of places whose owner was not known. */
  private List<Problem> name() {
    Map<Found, String> names = new LinkedHashMap<>();
    List<Found> unknown =
        problems.stream()
            .filter(p -> p.owner().isEmpty() && p.file().equals(HOME) && !p.kind().equals("leak"))
            .toList();
    if (!unknown.isEmpty()) {
      long[] from = unknown.stream().mapToLong(Found::offset).toArray();
      long[] to = unknown.stream().mapToLong(Found::end).toArray();
      OwnerSearch search = new OwnerSearch(heap, from, to);
      search.run();
      for (int i = 0; i < from.length; i++) {
        names.put(unknown.get(i), search.owners(i));
      }
    }
    return problems.stream()
        .map(
            p ->
                new Problem(
                    p.kind(),
                    names.getOrDefault(p, p.owner()),
                    p.file(),
                    p.offset(),
                    p.key(),
                    p.message()))
        .toList();
  }
}
