package io.everheap.structure.block;

import io.everheap.block.Block;
import io.everheap.codec.Codec;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import java.util.List;

/** What it takes to make or find a {@link Block} that has a name. */
record BlockDefinition(long bytes) implements Definition<Block> {
  @Override
  public StructureKind kind() {
    return BlockKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of();
  }

  @Override
  public long create(StructureContext heap, long[] types) {
    return heap.allocator().allocate(BlockType.RAW, bytes);
  }

  @Override
  public Block attach(StructureContext heap, long reference) {
    Block block = RawMemory.block(heap, reference);
    if (block.size() != bytes) {
      throw new IllegalArgumentException("the block has " + block.size() + " bytes, not " + bytes);
    }
    return block;
  }
}
