package io.everheap;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.WordCodec;
import io.everheap.error.EverheapException;
import io.everheap.error.UnsupportedTypeException;
import io.everheap.structure.common.RawCodecs;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.common.StructureTypes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Decodes stored values of roots by codecs of the program: constructors may refuse some. */
final class ValueSamples {
  /** Values of one root that are decoded; the first ones. */
  static final int MOST = 1000;

  private final StructureContext heap;
  private final Catalog catalog;

  /**
   * How decoding went.
   *
   * @param tried values
   * @param failed of them
   * @param reason why the first of these failed; empty if none did
   */
  record Result(int tried, int failed, String reason) {
    static final Result NONE = new Result(0, 0, "");
  }

  ValueSamples(StructureContext heap, Catalog catalog) {
    this.heap = heap;
    this.catalog = catalog;
  }

  /** Decodes the first values of a part of a root; none if its other types are not known. */
  Result decode(String root, int part, Codec<?> codec) {
    return catalog.reference(root).map(ref -> decode(ref, part, codec)).orElse(Result.NONE);
  }

  private Result decode(long reference, int part, Codec<?> codec) {
    StructureTypes header = StructureTypes.of(heap, reference);
    StructureKind kind = header.kind();
    List<String> names = header.numbers().stream().map(heap.types()::name).toList();
    List<Codec<Object>> raw = new ArrayList<>();
    try {
      boolean[] words = kind.words(heap, reference, new ArrayList<>(names));
      for (int i = 0; i < words.length; i++) {
        raw.add(RawCodecs.of(names.get(i), words[i]));
      }
    } catch (UnsupportedTypeException e) {
      return Result.NONE;
    }
    boolean key = raw.size() > 1 && part == 0; // else elements with their positions
    int tried = 0;
    int failed = 0;
    String reason = "";
    try (Stream<Map.Entry<Object, Object>> entries = kind.entries(heap, reference, raw)) {
      for (Iterator<Map.Entry<Object, Object>> i = entries.limit(MOST).iterator(); i.hasNext(); ) {
        Map.Entry<Object, Object> entry = i.next();
        String failure = failure(codec, key ? entry.getKey() : entry.getValue());
        tried++;
        failed += failure.isEmpty() ? 0 : 1;
        reason = reason.isEmpty() ? failure : reason;
      }
    }
    return new Result(tried, failed, reason);
  }

  private static String failure(Codec<?> codec, Object raw) {
    try {
      if (raw instanceof Long word && codec instanceof WordCodec<?> words) {
        Object _ = words.fromWord(word);
      } else {
        Object _ = codec.read(new CodecInput((byte[]) raw));
      }
      return "";
    } catch (EverheapException e) {
      return String.valueOf(e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      return "the codec " + codec.name() + " throws " + e.getClass().getName();
    }
  }
}
