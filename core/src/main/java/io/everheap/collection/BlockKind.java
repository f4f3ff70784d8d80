package io.everheap.collection;

import io.everheap.block.Block;
import io.everheap.block.Blocks;
import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.base.BlockCheck;
import io.everheap.collection.base.StructureFindings;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of a {@link RootBlock}: bytes that only the program understands. */
final class BlockKind implements StructureKind {
  /** The only one. */
  static final BlockKind INSTANCE = new BlockKind();

  private static final int LINE = 64;

  /** Bytes of an entry of a copy. */
  private static final int PIECE = 1 << 16;

  private BlockKind() {}

  @Override
  public String name() {
    return "block";
  }

  @Override
  public int headerType() {
    return BlockType.RAW;
  }

  @Override
  public List<Part> parts() {
    return List.of();
  }

  @Override
  public long[] types(Engine engine, long reference) {
    engine.allocator().check(reference);
    return new long[0];
  }

  @Override
  public long size(Engine engine, long reference) {
    return Blocks.at(engine, reference).size();
  }

  /** In pieces as entries are. */
  @Override
  public long count(Engine engine, long reference) {
    return (engine.allocator().size(reference) + PIECE - 1) / PIECE;
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return RootBlock.ofSize(original.size()).define(new CodecRegistry());
  }

  @Override
  public StructureCopy openCopy(Engine engine, long reference, Original original) {
    Block block = Blocks.at(engine, reference);
    return (offset, piece) -> {
      byte[] bytes = (byte[]) piece;
      block.copyFrom((Long) offset, bytes, 0, bytes.length);
      return true;
    };
  }

  @Override
  public void destroy(Engine engine, long reference) {
    Blocks.at(engine, reference).free();
  }

  /** The bytes in lines, each with its offset. */
  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    Block block = Blocks.at(engine, reference);
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
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    BlockCheck check = new BlockCheck(engine, findings);
    if (check.own(reference, "the block", reference, BlockType.RAW, 0) && findings.wantsEntries()) {
      long size = engine.allocator().size(reference);
      for (long at = 0; at < size; at += PIECE) {
        byte[] piece = new byte[(int) Math.min(PIECE, size - at)];
        engine.memory().copyOut(Reference.payload(reference) + at, piece, 0, piece.length);
        findings.entry(Reference.address(reference), at, piece);
      }
    }
  }
}
