package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.Atomic;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.chunk.ChunkedBytes;
import io.everheap.collection.chunk.ChunkedCheck;
import io.everheap.collection.chunk.ChunkedHeader;
import io.everheap.collection.chunk.ChunkedLayout;
import io.everheap.collection.lifecycle.ChunkedLifecycle;
import io.everheap.collection.lifecycle.GrowingBytes;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of texts and of buffers of bytes. */
final class ChunkedKind implements StructureKind {
  /** The kind of {@link DurableText}. */
  static final ChunkedKind TEXT = new ChunkedKind("text", BlockType.TEXT_HEADER, 2);

  /** The kind of {@link DurableBytes}. */
  static final ChunkedKind BYTES = new ChunkedKind("bytes", BlockType.BYTES_HEADER, 1);

  private static final int LINE = 64;

  /** Bytes of an entry of a copy: pieces are within chunks. */
  private static final int PIECE = ChunkedLayout.CHUNK;

  private final String name;
  private final int headerType;
  private final int width;

  private ChunkedKind(String name, int headerType, int width) {
    this.name = name;
    this.headerType = headerType;
    this.width = width;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int headerType() {
    return headerType;
  }

  @Override
  public List<Part> parts() {
    return List.of();
  }

  @Override
  @SuppressWarnings("CheckReturnValue")
  public long[] types(Engine engine, long reference) {
    ChunkedHeader.types(engine, reference, headerType);
    return new long[0];
  }

  @Override
  public long size(Engine engine, long reference) {
    return new GrowingBytes(engine, reference, headerType).length() / width;
  }

  /** In pieces as entries are. */
  @Override
  public long count(Engine engine, long reference) {
    long at = Reference.address(reference) + ChunkedLayout.LENGTH;
    return (Math.max(0, engine.memory().getLong(at)) + PIECE - 1) / PIECE;
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    return new ChunkedDefinition<Object>(this, (engine, reference) -> this);
  }

  @Override
  public StructureCopy openCopy(Engine engine, long reference, Original original) {
    GrowingBytes bytes = new GrowingBytes(engine, reference, headerType);
    return (offset, piece) -> {
      long end = bytes.length();
      bytes.change(() -> bytes.replace(end, end, MemorySegment.ofArray((byte[]) piece)));
      return true;
    };
  }

  @Override
  public void destroy(Engine engine, long reference) {
    Atomic.run(
        engine, () -> ChunkedLifecycle.destroy(ChunkedBytes.attach(engine, reference, headerType)));
  }

  /** The bytes or characters in lines, each with its offset. */
  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    GrowingBytes bytes = new GrowingBytes(engine, reference, headerType);
    BiFunction<Long, Long, Object> line =
        width == 1 ? bytes::read : (from, to) -> text(bytes.read(from, to));
    long length = bytes.length();
    int step = LINE * width;
    return LongStream.range(0, (length + step - 1) / step)
        .mapToObj(i -> Map.entry(i * LINE, line.apply(i * step, Math.min(length, (i + 1) * step))));
  }

  /** A part of a text, in which half a surrogate pair at either end is no character. */
  private static String text(byte[] bytes) {
    return new String(bytes, java.nio.charset.StandardCharsets.UTF_16LE);
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    if (ChunkedCheck.run(engine, reference, headerType, findings)) {
      long at = Reference.address(reference) + ChunkedLayout.LENGTH;
      long length = engine.memory().getLong(at);
      if (length % width != 0) {
        findings.problem("header", at, null, "half a character at the end");
      }
      if (findings.wantsEntries()) {
        pieces(ChunkedBytes.attach(engine, reference, headerType), length, findings);
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
