package io.everheap.structure.sorted;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.Codecs;
import io.everheap.codec.WordCodec;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.codec.ordered.OrderedForms;
import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.RawCodecs;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map or set that is filled with the raw entries of another one. Keys whose bytes or words
 * are ordered find their places by them. Keys that a comparator orders, which is not there, come in
 * the order in which the other one keeps them: each is more than all before.
 */
final class SortedCopy implements StructureCopy {
  private final SortedMapHandle<Object, Object> map;
  private final boolean set;
  private final boolean compared;
  private @Nullable Object added;

  SortedCopy(StructureContext heap, long reference, Original original) {
    this.set = isSet(original);
    this.compared = isCompared(original);
    int header = set ? BlockType.SORTED_SET_HEADER : BlockType.SORTED_MAP_HEADER;
    SortedTypes<Object, Object> types = types(original, this);
    this.map = new SortedMapHandle<>(SortedStore.attach(heap, reference, header, types));
  }

  private static int headerType(Original original) {
    return original.heap().allocator().type(original.reference());
  }

  private static boolean isSet(Original original) {
    return headerType(original) == BlockType.SORTED_SET_HEADER;
  }

  private static boolean isCompared(Original original) {
    int type = headerType(original);
    return SortedInfo.read(original.heap(), original.reference(), type).compared();
  }

  /**
   * The types of a copy, whose comparator is not there.
   *
   * @param copy that orders its keys; null if it is not filled yet
   */
  static SortedTypes<Object, Object> types(Original original, @Nullable SortedCopy copy) {
    Codec<Object> key = original.raw(0);
    Codec<Object> value =
        isSet(original) ? RawCodecs.of(Codecs.BOOLEAN.name(), true) : original.raw(1);
    boolean compared = isCompared(original);
    return new SortedTypes<>(
        key,
        key,
        value,
        compared ? (a, b) -> copy == null ? 0 : copy.compare(a, b) : null,
        original.types().getLast(),
        null);
  }

  /** What is added is more than all others; those are not compared with each other. */
  private int compare(Object a, Object b) {
    Object last = added;
    if (Objects.deepEquals(a, b)) {
      return 0;
    }
    if (Objects.deepEquals(a, last)) {
      return 1;
    }
    return Objects.deepEquals(b, last) ? -1 : 0;
  }

  @Override
  public boolean add(Object key, Object value) {
    added = key;
    return map.putIfAbsent(key, value) == null;
  }

  /** Ordered keys are kept in another form than those of other structures. */
  @Override
  public String text(String type, Object key) {
    try {
      Codec<Object> codec = DescribedCodecs.of(type);
      Codec<Object> form = compared ? codec : OrderedForms.of(codec);
      if (form instanceof WordCodec<Object> words) {
        return words.fromWord((Long) key).toString();
      }
      if (form != null) {
        Object decoded = form.read(new CodecInput((byte[]) key));
        return decoded.getClass().isArray() ? RawCodecs.text(key) : decoded.toString();
      }
    } catch (RuntimeException e) {
      // it is shown as it is
    }
    return RawCodecs.text(key);
  }
}
