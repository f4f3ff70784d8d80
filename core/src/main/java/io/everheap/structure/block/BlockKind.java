package io.everheap.structure.block;

import io.everheap.block.Block;
import io.everheap.codec.Codec;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of a block that has a name: bytes that only the program understands. */
public final class BlockKind extends StructureKind {
  /** The only one. */
  public static final BlockKind INSTANCE = new BlockKind();

  private static final int LINE = 64;

  /** Bytes of an entry of a copy. */
  private static final int PIECE = 1 << 16;

  private BlockKind() {
    super("block", BlockType.RAW);
  }

  @Override
  public Definition<?> define(ShapeParts shape) {
    long bytes = shape.get(0, Long.class);
    if (bytes < 0) {
      throw new IllegalArgumentException("a block has 0 bytes or more, not " + bytes);
    }
    return define(shape, bytes);
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    return heap.allocator().allocate(BlockType.RAW, definition.option(Long.class));
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    Block block = RawMemory.block(heap, reference);
    long bytes = definition.option(Long.class);
    if (block.size() != bytes) {
      throw new IllegalArgumentException("the block has " + block.size() + " bytes, not " + bytes);
    }
    return block;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    heap.allocator().check(reference);
    return new long[0];
  }

  @Override
  public long size(StructureContext heap, long reference) {
    return RawMemory.block(heap, reference).size();
  }

  /** In pieces as entries are. */
  @Override
  public long count(StructureContext heap, long reference) {
    return (heap.allocator().size(reference) + PIECE - 1) / PIECE;
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return copyDefinition(original, original.size());
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    Block block = RawMemory.block(heap, reference);
    return (offset, piece) -> {
      byte[] bytes = (byte[]) piece;
      block.copyFrom((Long) offset, bytes, 0, bytes.length);
      return true;
    };
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    RawMemory.block(heap, reference).free();
  }

  /** The bytes in lines, each with its offset. */
  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    Block block = RawMemory.block(heap, reference);
    return LongStream.range(0, (block.size() + LINE - 1) / LINE)
        .mapToObj(
            line -> {
              byte[] bytes = new byte[(int) Math.min(LINE, block.size() - line * LINE)];
              block.copyTo(line * LINE, bytes, 0, bytes.length);
              return Map.entry(line * LINE, bytes);
            });
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    BlockCheck check = new BlockCheck(heap, findings);
    if (check.own(reference, "the block", reference, BlockType.RAW, 0) && findings.wantsEntries()) {
      long size = heap.allocator().size(reference);
      for (long at = 0; at < size; at += PIECE) {
        byte[] piece = new byte[(int) Math.min(PIECE, size - at)];
        heap.memory().copyOut(Reference.payload(reference) + at, piece, 0, piece.length);
        findings.entry(Reference.address(reference), at, piece);
      }
    }
  }
}
