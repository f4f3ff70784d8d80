package io.everheap.structure.bytes;

import io.everheap.codec.Codec;
import io.everheap.collection.DurableBytes;
import io.everheap.collection.DurableText;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of texts and of buffers of bytes. */
public final class ChunkedKind extends StructureKind {
  /** The kind of {@link DurableText}. */
  public static final ChunkedKind TEXT = new ChunkedKind("text", BlockType.TEXT_HEADER, 2);

  /** The kind of {@link DurableBytes}. */
  public static final ChunkedKind BYTES = new ChunkedKind("bytes", BlockType.BYTES_HEADER, 1);

  private static final int LINE = 64;

  /** Bytes of an entry of a copy: pieces are within chunks. */
  private static final int PIECE = ChunkedLayout.CHUNK;

  private final int width;

  private ChunkedKind(String name, int headerType, int width) {
    super(name, headerType);
    this.width = width;
  }

  @Override
  @SuppressWarnings("CheckReturnValue")
  public long[] types(StructureContext heap, long reference) {
    ChunkedBytes.type(heap, reference, headerType());
    return new long[0];
  }

  @Override
  public long size(StructureContext heap, long reference) {
    return new GrowingBytes(heap, reference, headerType()).length() / width;
  }

  /** In pieces as entries are. */
  @Override
  public long count(StructureContext heap, long reference) {
    long at = Reference.address(reference) + ChunkedLayout.LENGTH;
    return (Math.max(0, heap.memory().getLong(at)) + PIECE - 1) / PIECE;
  }

  @Override
  public StructureCopy openCopy(StructureContext heap, long reference, Original original) {
    GrowingBytes bytes = new GrowingBytes(heap, reference, headerType());
    return (offset, piece) -> {
      long end = bytes.length();
      bytes.change(() -> bytes.replace(end, end, MemorySegment.ofArray((byte[]) piece)));
      return true;
    };
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    return ChunkedLifecycle.create(heap, headerType(), 0, 0, 0);
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    ChunkedBytes.attach(heap, reference, headerType()).checkAlive();
    return dead(heap, definition, reference);
  }

  @Override
  protected Object dead(StructureContext heap, Definition<?> definition, long reference) {
    return headerType() == BlockType.TEXT_HEADER
        ? new TextHandle(heap, reference)
        : new BytesHandle(heap, reference);
  }

  @Override
  protected void free(StructureContext heap, long reference) {
    ChunkedLifecycle.destroy(ChunkedBytes.attach(heap, reference, headerType()));
  }

  /** The bytes or characters in lines, each with its offset. */
  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    GrowingBytes bytes = new GrowingBytes(heap, reference, headerType());
    BiFunction<Long, Long, Object> line =
        width == 1 ? bytes::read : (from, to) -> text(bytes.read(from, to));
    long length = bytes.length();
    int step = LINE * width;
    return LongStream.range(0, (length + step - 1) / step)
        .mapToObj(i -> Map.entry(i * LINE, line.apply(i * step, Math.min(length, (i + 1) * step))));
  }

  /** A part of a text, in which half a surrogate pair at either end is no character. */
  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_16LE);
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    if (ChunkedCheck.run(heap, reference, headerType(), findings)) {
      long at = Reference.address(reference) + ChunkedLayout.LENGTH;
      long length = heap.memory().getLong(at);
      if (length % width != 0) {
        findings.problem("header", at, null, "half a character at the end");
      }
      if (findings.wantsEntries()) {
        pieces(ChunkedBytes.attach(heap, reference, headerType()), length, findings);
      }
    }
  }

  private static void pieces(ChunkedBytes chunks, long length, StructureFindings findings) {
    for (long at = 0; at < length; at += PIECE) {
      byte[] piece = new byte[(int) Math.min(PIECE, length - at)];
      chunks.load(at, MemorySegment.ofArray(piece), 0, piece.length);
      long chunk = chunks.chunk(at / PIECE);
      findings.entry(chunk == 0 ? chunks.header : Reference.address(chunk), at, piece);
    }
  }
}
