package io.everheap.engine.alloc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The short check of a reference agrees with the long one. */
class SlotShapeTest {
  private static final int TYPE = 777;

  private final AllocatorRig rig = new AllocatorRig(21, 16);

  @AfterEach
  void close() {
    rig.close();
  }

  private List<Long> allocate(int count, long size) {
    Long[] references = new Long[count];
    rig.transact(
        () -> {
          for (int i = 0; i < count; i++) {
            references[i] = rig.allocator.allocate(TYPE, size);
          }
        });
    return List.of(references);
  }

  private SlotShape shape(int type, long size) {
    return requireNonNull(rig.allocator.shape(type, size));
  }

  @Test
  void aBlockHasTheShapeOfItsTypeAndSize() {
    for (long size : new long[] {0, 8, 104, 4096, 8184}) {
      List<Long> references = allocate(SizeClasses.slots(SizeClasses.of((int) size + 8)), size);
      SlotShape shape = shape(TYPE, size);
      for (long reference : references) {
        long header = rig.allocator.header(reference);
        assertThat(shape.header(reference)).isEqualTo(header);
        assertThat(shape.isBlock(reference, header)).isTrue();
      }
      long reference = references.getLast();
      long header = rig.allocator.header(reference);
      assertThat(shape(TYPE + 1, size).isBlock(reference, header)).isFalse();
      if (size > 0) {
        assertThat(shape(TYPE, size - 1).isBlock(reference, header)).isFalse();
      }
      long later = Reference.of(Reference.address(reference), 1);
      assertThat(shape.isBlock(later, header)).isFalse();
      rig.free(reference);
      assertThat(shape.isBlock(reference, rig.home.getLong(Reference.address(reference))))
          .isFalse();
      assertThat(shape.header(later) & ~(-1L << 40)).isEqualTo(header & ~(-1L << 40));
    }
  }

  /** Payloads can have any bytes, so also those of a header. */
  @Test
  void onlyWhereASlotStartsInAChunkOfItsClassCanBeABlock() {
    long reference = allocate(SizeClasses.slots(SizeClasses.of(1008)) + 1, 1000).getFirst();
    allocate(1, 2000);
    SlotShape shape = shape(TYPE, 1000);
    long base = Reference.address(reference) & -ChunkLayout.CHUNK_BYTES;
    int sizeClass = SizeClasses.of(1008);
    for (int chunk = 1; chunk < 4; chunk++) {
      boolean slots = rig.allocator.chunkUses().get(chunk).blockBytes() == 1024;
      assertThat(slots).isEqualTo(chunk < 3);
      for (int offset = 0; offset < ChunkLayout.CHUNK_BYTES; offset += 16) {
        long any = Reference.of(base + (chunk - 1L) * ChunkLayout.CHUNK_BYTES + offset, 5);
        boolean expected = slots && SizeClasses.slotAt(sizeClass, offset) >= 0;
        if (shape.isBlock(any, shape.header(any)) != expected) {
          throw new AssertionError("chunk " + chunk + " offset " + offset);
        }
      }
    }
  }

  @Test
  void blocksThatAreLargerThanASlotHaveNoShape() {
    assertThat(rig.allocator.shape(TYPE, 8184)).isNotNull();
    assertThat(rig.allocator.shape(TYPE, 8185)).isNull();
    assertThat(rig.allocator.shape(TYPE, 1L << 32)).isNull();
  }
}
