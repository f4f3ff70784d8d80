package io.everheap;

import io.everheap.codec.Codec;
import io.everheap.object.bind.ObjectSpace;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.object.ObjectKind;
import java.util.List;
import java.util.function.Consumer;

/**
 * What it takes to make or find an object as a root.
 *
 * @param init is given a new one
 */
record ObjectDefinition<T>(ObjectSpace objects, Class<T> type, Consumer<? super T> init)
    implements Definition<T> {
  @Override
  public StructureKind kind() {
    return ObjectKind.INSTANCE;
  }

  @Override
  public List<Codec<?>> codecs() {
    return List.of();
  }

  @Override
  public List<String> types() {
    return List.of(objects.typeOf(type));
  }

  @Override
  public boolean reads(int part, String stored) {
    return objects.isReadable(type, stored);
  }

  @Override
  public long create(StructureContext heap, long[] types) {
    return objects.referenceOf(objects.create(type, init));
  }

  @Override
  public T attach(StructureContext heap, long reference) {
    return type.cast(objects.attach(reference, type));
  }
}
