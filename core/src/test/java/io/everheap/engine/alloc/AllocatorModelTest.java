package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.alloc.AllocatorRig.Block;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.FullException;
import io.everheap.error.GoneException;
import io.everheap.support.tier.Campaign;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Random transactions against a model that knows what must be allocated. */
@Campaign
class AllocatorModelTest {
  private static final int STEPS = 400;

  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void behavesLikeItsModel(@ForAll long seed) {
    try (AllocatorRig rig =
        new AllocatorRig(20 + (int) (seed & 1), 16 + (int) ((seed >>> 1) & 15))) {
      new Model(rig.growthStep(1 + (int) ((seed >>> 8) & 3)), new Random(seed)).run();
    }
  }

  /** The model, and the checks after each step. */
  private static final class Model {
    private final AllocatorRig rig;
    private final Random random;

    /** Every reference given out since the last open, rolled back or not. */
    private final Set<Long> given = new HashSet<>();

    /** Every reference that was committed at some time. */
    private final Set<Long> committed = new HashSet<>();

    private Map<Long, Block> live = new TreeMap<>();
    private final Deque<Map<Long, Block>> saved = new ArrayDeque<>();

    /** BlockFinder whose space must not be used in the running transaction: from address to end. */
    private final TreeMap<Long, Long> occupied = new TreeMap<>();

    private final Deque<TreeMap<Long, Long>> savedOccupied = new ArrayDeque<>();

    Model(AllocatorRig rig, Random random) {
      this.rig = rig;
      this.random = random;
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        if (saved.isEmpty()) {
          if (random.nextInt(20) == 0) {
            rig.reopen();
            given.retainAll(committed);
          }
          begin();
        } else {
          step();
        }
      }
      while (!saved.isEmpty()) {
        commit();
      }
      rig.transact(() -> rig.allocator.trim());
      check();
      rig.free(new ArrayList<>(live.keySet()));
      live.clear();
      rig.transact(() -> rig.allocator.trim());
      check();
      assertThat(rig.allocator.usedEnd()).isEqualTo(ChunkLayout.CHUNK_BYTES);
    }

    private void step() {
      int what = random.nextInt(100);
      if (what < 45) {
        allocate(1, size());
      } else if (what < 55) {
        allocate(1 + random.nextInt(300), random.nextInt(random.nextBoolean() ? 200 : 3000));
      } else if (what < 75) {
        free(1);
      } else if (what < 80) {
        free(1 + random.nextInt(live.size() + 1));
      } else if (what < 85) {
        begin();
      } else if (what < 86) {
        rig.allocator.trim();
      } else if (what < 95) {
        commit();
      } else {
        rollback();
      }
    }

    private long size() {
      return switch (random.nextInt(12)) {
        case 0 -> random.nextInt(4) * 262_144L + random.nextInt(262_144);
        case 1 -> random.nextInt(262_144);
        case 2, 3 -> random.nextInt(40_000);
        case 4, 5, 6 -> random.nextInt(8192);
        default -> random.nextInt(200);
      };
    }

    private void begin() {
      if (saved.size() < 4) {
        if (saved.isEmpty()) {
          occupied.clear();
          live.forEach((reference, block) -> occupy(reference, block.size()));
        }
        rig.begin();
        saved.push(new TreeMap<>(live));
        savedOccupied.push(new TreeMap<>(occupied));
      }
    }

    private void commit() {
      if (saved.size() == 1 && random.nextInt(8) == 0) {
        rig.failCommit();
        restore();
      } else {
        rig.commit();
        saved.pop();
        savedOccupied.pop();
      }
      if (saved.isEmpty()) {
        committed.addAll(live.keySet());
        check();
      }
    }

    private void rollback() {
      rig.rollback();
      restore();
      if (saved.isEmpty()) {
        check();
      }
    }

    private void restore() {
      live = saved.pop();
      occupied.clear();
      occupied.putAll(savedOccupied.pop());
    }

    private void allocate(int count, long size) {
      if (size > Allocator.maxBlock(rig.extentShift)) {
        return;
      }
      int type = random.nextInt(BlockType.MAX + 1);
      for (int i = 0; i < count; i++) {
        long reference;
        try {
          reference = rig.allocator.allocate(type, size);
        } catch (FullException full) {
          return;
        }
        if (!given.add(reference)) {
          throw new AssertionError("given out before: " + Reference.describe(reference));
        }
        checkFreeSpace(reference, size);
        occupy(reference, size);
        live.put(reference, new Block(type, size));
        store(reference, size);
      }
    }

    private void occupy(long reference, long size) {
      long address = Reference.address(reference);
      occupied.put(address, address + 8 + size);
    }

    private void checkFreeSpace(long reference, long size) {
      long address = Reference.address(reference);
      long end = address + 8 + size;
      Map.Entry<Long, Long> before = occupied.lowerEntry(end);
      boolean isFree = before == null || before.getValue() <= address;
      boolean isInside = (address & rig.extentMask()) >= ChunkLayout.CHUNK_BYTES;
      boolean isInOneExtent = (address >>> rig.extentShift) == ((end - 1) >>> rig.extentShift);
      if (!isFree || !isInside || !isInOneExtent) {
        throw new AssertionError("cannot be there: " + Reference.describe(reference));
      }
    }

    /** Checks that the payload is zero, then marks the first and the last word of it. */
    private void store(long reference, long size) {
      for (long address : ends(reference, size)) {
        if (rig.memory.getLong(address) != 0) {
          throw new AssertionError("not zero: " + Reference.describe(reference));
        }
      }
      for (long address : ends(reference, size)) {
        rig.memory.initLong(address, reference);
      }
    }

    private static List<Long> ends(long reference, long size) {
      long payload = Reference.payload(reference);
      return size == 0 ? List.of() : List.of(payload, payload + ((size - 1) & -8));
    }

    private void free(int count) {
      List<Long> references = new ArrayList<>(live.keySet());
      for (int i = 0; i < count && !references.isEmpty(); i++) {
        int at = random.nextInt(references.size());
        long reference = references.get(at);
        references.set(at, references.getLast());
        references.removeLast();
        rig.allocator.free(Stripes.NONE, reference);
        live.remove(reference);
        checkStale(reference);
      }
    }

    private void check() {
      Map<Long, Block> walked = new TreeMap<>();
      List<String> problems = new ArrayList<>();
      rig.walk(walked, problems);
      assertThat(problems).isEmpty();
      assertThat(walked.equals(live)).as("the walk finds what is live").isTrue();
      live.forEach(this::checkBlock);
      given.stream().filter(reference -> !live.containsKey(reference)).forEach(this::checkStale);
      AllocatorStats stats = rig.allocator.stats();
      assertThat(stats.blocks()).isEqualTo(live.size());
      if (random.nextInt(8) == 0) {
        assertThat(rig.open().stats()).isEqualTo(stats);
      }
    }

    private void checkBlock(long reference, Block block) {
      Block found = new Block(rig.allocator.type(reference), rig.allocator.size(reference));
      if (!found.equals(block)) {
        throw new AssertionError(found + " instead of " + block);
      }
      for (long address : ends(reference, block.size())) {
        if (rig.memory.getLong(address) != reference) {
          throw new AssertionError("overwritten: " + Reference.describe(reference));
        }
      }
    }

    private void checkStale(long reference) {
      try {
        rig.allocator.check(reference);
      } catch (GoneException expected) {
        return;
      }
      throw new AssertionError("not stale: " + Reference.describe(reference));
    }
  }
}
