package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.GoneException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The allocator of a replica, beside that of the primary, over the same image. */
class ChunkFollowerTest {
  private static final long CHUNK = ChunkLayout.CHUNK_BYTES;
  private static final long EXTENT = 1L << 20;
  private static final long TABLE = 65_536;
  private static final long RETIRED = 1 << 16 | ChunkKind.RETIRED;
  private static final long CAPACITY = 4 * CHUNK;

  private final AllocatorRig rig = new AllocatorRig(20, 16);
  private final Allocator replica = rig.open();
  private final ChunkFollower follower = replica.follower();

  @AfterEach
  void close() {
    rig.close();
  }

  private long entry(int chunk) {
    return ChunkLayout.entry(chunk, rig.extentShift);
  }

  private List<String> kinds() {
    return replica.chunkUses().stream().map(ChunkUse::kind).toList();
  }

  private void requireStale(long reference, String why) {
    assertThatThrownBy(() -> replica.check(reference))
        .isInstanceOf(GoneException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aBlockIsFoundFromTheCommitOnThatAllocatesIt() {
    replica.stats(); // reads the tables
    long reference = rig.allocate(100);
    int chunk = ChunkLayout.chunkOf(Reference.address(reference));
    requireStale(reference, "nothing is allocated there");
    follower.store(entry(chunk), rig.home.getLong(entry(chunk)));
    requireStale(reference, "nothing is allocated there");
    follower.beforeCommit(CAPACITY);
    replica.check(reference);
    follower.afterCommit(CAPACITY);
    replica.check(reference);
  }

  @Test
  void aChunkIsFreeAfterTheCommitThatFreesIt() {
    long reference = rig.allocate(100);
    int chunk = ChunkLayout.chunkOf(Reference.address(reference));
    replica.check(reference);
    follower.store(entry(chunk), 0);
    follower.beforeCommit(CAPACITY);
    replica.check(reference);
    follower.afterCommit(CAPACITY);
    requireStale(reference, "nothing is allocated there");
  }

  @Test
  void aChangeIsNotRepeatedByTheNextCommit() {
    follower.store(entry(1), RETIRED);
    follower.store(entry(2), 0);
    follower.beforeCommit(CAPACITY);
    follower.afterCommit(CAPACITY);
    assertThat(kinds()).containsExactly("metadata", "retired", "free", "free");
    follower.store(entry(1), 0);
    follower.store(entry(2), RETIRED);
    follower.beforeCommit(CAPACITY);
    assertThat(kinds()).containsExactly("metadata", "retired", "retired", "free");
    follower.afterCommit(CAPACITY);
    assertThat(kinds()).containsExactly("metadata", "free", "retired", "free");
    follower.store(entry(1), RETIRED);
    follower.beforeCommit(CAPACITY);
    follower.afterCommit(CAPACITY);
    assertThat(kinds()).containsExactly("metadata", "retired", "retired", "free");
  }

  @Test
  void aRollbackForgetsTheStores() {
    follower.store(entry(1), RETIRED);
    follower.rolledBack();
    follower.beforeCommit(CAPACITY);
    follower.afterCommit(CAPACITY);
    assertThat(kinds()).containsExactly("metadata", "free", "free", "free");
  }

  @Test
  void theImageGrowsBeforeTheCommitAndShrinksAfterIt() {
    replica.stats();
    List<Long> references = rig.fill(200_000);
    for (int chunk = 1; chunk < 16; chunk++) {
      follower.store(entry(chunk), rig.home.getLong(entry(chunk)));
    }
    requireStale(references.getLast(), "behind the end");
    follower.beforeCommit(rig.limit);
    references.forEach(replica::check);
    follower.afterCommit(rig.limit);
    references.forEach(replica::check);
    assertThat(replica.stats()).isEqualTo(rig.allocator.stats());
    follower.beforeCommit(6 * CHUNK);
    references.forEach(replica::check);
    follower.afterCommit(6 * CHUNK);
    List<Long> left = references.stream().filter(r -> Reference.address(r) < 6 * CHUNK).toList();
    assertThat(left).hasSize(4);
    left.forEach(replica::check);
    references.subList(4, references.size()).forEach(r -> requireStale(r, "behind the end"));
    assertThat(replica.stats().capacity()).isEqualTo(6 * CHUNK);
  }

  @Test
  void entriesOfMetadataAndOfChunksBehindTheCapacityAreIgnored() {
    follower.store(entry(0), RETIRED);
    follower.store(entry(4), RETIRED);
    follower.store(entry(5), RETIRED);
    follower.store(entry(6), 0);
    follower.store(entry(3), RETIRED);
    follower.beforeCommit(6 * CHUNK);
    follower.afterCommit(6 * CHUNK);
    assertThat(kinds())
        .containsExactly("metadata", "free", "free", "retired", "metadata", "retired");
  }

  @Test
  void onlyTheFirstWordsOfTheTableAreKinds() {
    long[] others = {
      entry(1) + 8,
      entry(1) - 8,
      TABLE - 16,
      TABLE - 8,
      TABLE + 64,
      8192,
      EXTENT + TABLE - 16,
      CHUNK
    };
    for (long address : others) {
      follower.store(address, RETIRED);
    }
    follower.beforeCommit(8 * CHUNK);
    follower.afterCommit(8 * CHUNK);
    assertThat(kinds())
        .containsExactly("metadata", "free", "free", "free", "metadata", "free", "free", "free");
  }

  @Test
  void aKindThatThisBuildDoesNotKnowIsDamage() {
    follower.store(entry(1), 99);
    follower.store(entry(2), 0x2FF);
    follower.beforeCommit(CAPACITY);
    follower.afterCommit(CAPACITY);
    assertThat(kinds()).containsExactly("metadata", "damaged", "damaged", "free");
  }

  @Test
  void aTransactionMayChangeManyChunks() {
    try (AllocatorRig large = new AllocatorRig(24, 64)) {
      Allocator other = large.open();
      ChunkFollower follows = other.follower();
      List<String> expected = new ArrayList<>(List.of("metadata"));
      for (int chunk = 1; chunk < 64; chunk++) {
        boolean free = chunk % 3 == 0;
        follows.store(ChunkLayout.entry(chunk, 24), free ? 0 : RETIRED);
        expected.add(free ? "free" : "retired");
      }
      follows.beforeCommit(large.limit);
      follows.afterCommit(large.limit);
      assertThat(other.chunkUses().stream().map(ChunkUse::kind).toList()).isEqualTo(expected);
    }
  }

  @Test
  void theFirstChunkOfAnExtentMayHaveEntries() {
    for (long extent : new long[] {0, EXTENT, 7 * EXTENT}) {
      assertThat(follower.mayChange(extent, 8)).isTrue();
      assertThat(follower.mayChange(extent + CHUNK - 8, 8)).isTrue();
      assertThat(follower.mayChange(extent + CHUNK, 8)).isFalse();
      assertThat(follower.mayChange(extent + CHUNK, EXTENT - CHUNK)).isFalse();
      assertThat(follower.mayChange(extent + CHUNK, EXTENT - CHUNK + 8)).isTrue();
      assertThat(follower.mayChange(extent + EXTENT - 8, 8)).isFalse();
      assertThat(follower.mayChange(extent + EXTENT - 8, 16)).isTrue();
    }
  }
}
