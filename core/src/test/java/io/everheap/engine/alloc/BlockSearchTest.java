package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.alloc.AllocatorRig.Block;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockSearchTest {
  private static final int CHUNK = ChunkLayout.CHUNK_BYTES;
  private static final int CHUNKS = 32;

  private final AllocatorRig rig = new AllocatorRig(21, CHUNKS);
  private final Map<Long, Block> found = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();
  private final Set<Long> known = new HashSet<>();
  private final List<Long> asked = new ArrayList<>();

  @AfterEach
  void close() {
    rig.close();
  }

  private void search() {
    found.clear();
    problems.clear();
    asked.clear();
    BlockSearch search = new BlockSearch(rig.memory, rig.extentShift);
    for (int chunk = 0; chunk < CHUNKS; ) {
      int visited = search.visit(chunk, CHUNKS, this::isKnown, new Findings());
      assertThat(visited).isPositive();
      chunk += visited;
    }
  }

  private boolean isKnown(long address) {
    asked.add(address);
    return known.contains(address);
  }

  private final class Findings implements AllocationVisitor {
    @Override
    public void block(long reference, int type, long size) {
      assertThat(found.put(reference, new Block(type, size))).isNull();
    }

    @Override
    public void problem(long address, String message) {
      problems.add(address + ": " + message);
    }
  }

  @Test
  void findsTheBlocksOfAllSizes() {
    List<Long> references = new ArrayList<>();
    for (long size : new long[] {0, 1, 40, 1100, 8184, 20_000, 200_000, 2L * CHUNK}) {
      references.addAll(rig.allocate(70, Math.min(size, 8184)));
      references.addAll(rig.allocate(size > 8184 ? 2 : 0, size));
    }
    rig.allocate(0);
    for (int i = 0; i < references.size(); i += 3) {
      rig.free(references.get(i));
    }
    assertThat(rig.problems()).isEmpty();
    search();
    assertThat(found).isEqualTo(rig.blocks()).hasSizeGreaterThan(300);
    assertThat(problems).isEmpty();
  }

  @Test
  void asksForBlocksInSlotsAndLeavesOutThoseThatAreKnown() {
    List<Long> references = rig.allocate(100, 2000);
    rig.free(references.subList(10, 20));
    Map<Long, Block> all = rig.blocks();
    search();
    assertThat(found).isEqualTo(all);
    assertThat(asked)
        .containsExactlyElementsOf(all.keySet().stream().map(Reference::address).toList());
    for (long reference : references.subList(30, 50)) {
      known.add(Reference.address(reference));
      all.remove(reference);
      rig.home.putLong(Reference.address(reference), -1); // nothing of a known block is loaded
    }
    search();
    assertThat(found).isEqualTo(all);
    assertThat(problems).isEmpty();
  }

  @Test
  void tellsWhatCannotBe() {
    List<Long> references = rig.allocate(3, 5000);
    long base = Reference.address(references.getFirst()) & -CHUNK;
    long address = Reference.address(references.get(1));
    long header = rig.home.getLong(address);
    rig.home.putLong(address, header & ~1);
    search();
    assertThat(found).containsOnlyKeys(references.getFirst(), references.get(2));
    String noBlock = address + ": The slot's bit is set, but its header is that of no block";
    assertThat(problems).containsExactly(noBlock);
    rig.home.putLong(address, header | 2);
    search();
    assertThat(problems).containsExactly(noBlock);
    rig.home.putLong(address, BlockHeader.freed(Reference.MAX_GENERATION));
    search();
    assertThat(problems).as("a retired slot").isEmpty();
    assertThat(found).hasSize(2);
    rig.home.putLong(base, rig.home.getLong(base) + (1L << 16));
    search();
    assertThat(problems)
        .containsExactly(base + ": The chunk's header is not that of its size class");
    assertThat(found).isEmpty();
  }

  @Test
  void theFirstChunkOfAnExtentHasNoSlotsWhateverItsEntrySays() {
    long entry = ChunkLayout.entry(8, rig.extentShift);
    rig.home.putLong(entry, ChunkKind.ofClass(3));
    search();
    assertThat(problems)
        .containsExactly(entry + ": The chunk cannot be in use, but its table entry is not 0");
    assertThat(asked).isEmpty();
  }
}
