package io.everheap.gc;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.ObjectReference;
import io.everheap.codec.WordCodec;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.UnsupportedTypeException;
import io.everheap.structure.common.NestedNames;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Codecs that the marker uses in place of those of the stored types: decoding a value reports the
 * references in it. A reference is always a word of eight bytes, so in a type that only the program
 * can decode, every offset is tried: a word that leads to an object or structure is marked, as in a
 * conservative collector.
 */
final class MarkCodecs {
  private static final String OBJECT = "object ";
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The result of every decoding. */
  private static final Object VALUE = new Object();

  /** Receives the references in values. */
  interface Found {
    /** A reference, which may be stale or 0. */
    void reference(long reference);

    /** A word that may be a reference. */
    void suspected(long word);
  }

  private final Found found;
  private final Map<String, Codec<Object>> known = new HashMap<>();

  MarkCodecs(Found found) {
    this.found = found;
  }

  /** The codec of a type that has references. */
  Codec<Object> of(String type) {
    return known.computeIfAbsent(
        type,
        name ->
            NestedNames.isNested(name) || name.startsWith(OBJECT)
                ? new Words(found)
                : new Bytes(found, described(name)));
  }

  private static @Nullable Codec<Object> described(String type) {
    try {
      return DescribedCodecs.of(type);
    } catch (UnsupportedTypeException e) {
      return null;
    }
  }

  /** Values that are references. */
  private record Words(Found found) implements WordCodec<Object> {
    @Override
    public String name() {
      return "reference";
    }

    @Override
    public long toWord(Object value) {
      throw new UnsupportedOperationException("nothing is stored");
    }

    @Override
    public Object fromWord(long word) {
      found.reference(word);
      return VALUE;
    }
  }

  /** Values whose bytes have references among them. */
  private record Bytes(Found found, @Nullable Codec<Object> described) implements Codec<Object> {
    @Override
    public String name() {
      return "references";
    }

    @Override
    public void write(Object value, CodecOutput out) {
      throw new UnsupportedOperationException("nothing is stored");
    }

    @Override
    public Object read(CodecInput in) {
      if (described != null) {
        follow(described.read(in));
      } else {
        scan(in.readBytes(in.remaining()));
      }
      return VALUE;
    }

    private void follow(@Nullable Object value) {
      switch (value) {
        case ObjectReference object -> found.reference(object.reference());
        case Optional<?> optional -> follow(optional.orElse(null));
        case Iterable<?> elements -> elements.forEach(this::follow);
        case Map<?, ?> map -> {
          map.keySet().forEach(this::follow);
          map.values().forEach(this::follow);
        }
        case Object[] elements -> {
          for (Object element : elements) {
            follow(element);
          }
        }
        case null, default -> {}
      }
    }

    private void scan(byte[] bytes) {
      for (int i = 0; i <= bytes.length - Long.BYTES; i++) {
        long word = (long) WORD.get(bytes, i);
        if (word != Reference.NULL) {
          found.suspected(word);
        }
      }
    }
  }
}
