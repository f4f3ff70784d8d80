package io.everheap.structure.queue;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.WordCodec;
import io.everheap.collection.KeyOrder;
import io.everheap.structure.common.RawCodecs;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureCopy;
import io.everheap.structure.list.ListBulk;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A priority queue that is filled in the order in which another one keeps its elements: the last
 * one comes first. So their own order need not be known. Elements of classes of the JDK in their
 * natural order are compared, since damaged ones may be out of place.
 */
final class QueueCopy implements StructureCopy {
  private final PriorityQueueHandle<Raw> queue;
  private final @Nullable Codec<Object> natural; // of elements that are compared
  private @Nullable Raw added;

  QueueCopy(StructureContext heap, long reference, List<String> types, boolean words) {
    Codec<Raw> codec = codec(types.getFirst(), words);
    this.natural = types.get(1).equals(KeyOrder.NATURAL) ? RawCodecs.known(types.getFirst()) : null;
    this.queue = PriorityQueueKind.INSTANCE.attach(heap, reference, codec, this::compare);
  }

  /** Unless values tell more, what is added is less than all others. */
  @SuppressWarnings("ReferenceEquality") // equal elements are not the same
  private int compare(Raw a, Raw b) {
    if (a == b) {
      return 0;
    }
    int byValue = natural == null ? 0 : compareValues(natural, a, b);
    if (byValue != 0) {
      return byValue;
    }
    if (a == added) {
      return -1;
    }
    return b == added ? 1 : 0;
  }

  private static int compareValues(Codec<Object> codec, Raw a, Raw b) {
    Object one = RawCodecs.decode(codec, a.value);
    Object other = RawCodecs.decode(codec, b.value);
    return one != null
            && other != null
            && PriorityQueueKind.isOrdered(one)
            && PriorityQueueKind.isOrdered(other)
        ? ListBulk.compare(null, one, other)
        : 0;
  }

  @Override
  public boolean add(Object key, Object value) {
    added = new Raw(value);
    return queue.add(added);
  }

  private static Codec<Raw> codec(String name, boolean words) {
    return words ? new Words(name) : new Bytes(name, RawCodecs.of(name, false));
  }

  /** An element. */
  private static final class Raw {
    private final Object value;

    Raw(Object value) {
      this.value = value;
    }
  }

  private record Words(String name) implements WordCodec<Raw> {
    @Override
    public long toWord(Raw raw) {
      return (Long) raw.value;
    }

    @Override
    public Raw fromWord(long word) {
      return new Raw(word);
    }
  }

  private record Bytes(String name, Codec<Object> codec) implements Codec<Raw> {
    @Override
    public void write(Raw raw, CodecOutput out) {
      codec.write(raw.value, out);
    }

    @Override
    public Raw read(CodecInput in) {
      return new Raw(codec.read(in));
    }
  }
}
