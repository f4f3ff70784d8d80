package io.everheap.collection;

import io.everheap.block.Block;
import io.everheap.block.Blocks;
import io.everheap.codec.Codec;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import java.util.List;

/**
 * The shape of a {@link Block} that is found by its name: where a structure of raw blocks begins.
 * Removing the root frees this one block; those that its bytes lead to are the program's.
 */
public final class RootBlock {
  private RootBlock() {}

  /**
   * A block of a size. A new one is all zeros; one that is found must have the size, or attaching
   * to it throws {@link IllegalArgumentException}.
   *
   * @param bytes from 0 to {@link Blocks#maxSize}
   */
  public static Shape<Block> ofSize(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a block has 0 bytes or more, not " + bytes);
    }
    return codecs -> new BlockDefinition(bytes);
  }

  /** What it takes to make or find one. */
  private record BlockDefinition(long bytes) implements Definition<Block> {
    @Override
    public StructureKind kind() {
      return BlockKind.INSTANCE;
    }

    @Override
    public List<Codec<?>> codecs() {
      return List.of();
    }

    @Override
    public long create(Engine engine, long[] types) {
      return engine.allocator().allocate(BlockType.RAW, bytes);
    }

    @Override
    public Block attach(Engine engine, long reference) {
      Block block = Blocks.at(engine, reference);
      if (block.size() != bytes) {
        throw new IllegalArgumentException(
            "the block has " + block.size() + " bytes, not " + bytes);
      }
      return block;
    }
  }
}
