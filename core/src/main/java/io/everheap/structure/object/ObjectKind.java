package io.everheap.structure.object;

import io.everheap.codec.Codec;
import io.everheap.collection.DescribedFields;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.object.type.ObjectImage;
import io.everheap.object.type.ObjectLayouts;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StoredStructure;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.common.StructureKinds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kind of durable objects, as roots. What one holds are its fields. */
public final class ObjectKind implements StructureKind {
  /** The only one. */
  public static final ObjectKind INSTANCE = new ObjectKind();

  private static final List<Part> PARTS = List.of(new Part("type", false));

  private ObjectKind() {}

  @Override
  public String name() {
    return "object";
  }

  /** Blocks of objects have many types: see {@link StructureKinds#of}. */
  @Override
  public int headerType() {
    return BlockType.OBJECT_MOVED;
  }

  @Override
  public List<Part> parts() {
    return PARTS;
  }

  @Override
  public long[] types(StructureContext heap, long reference) {
    return new long[] {ObjectImage.versionOf(heap, reference)};
  }

  @Override
  public long size(StructureContext heap, long reference) {
    return OptimisticReads.betweenCommits(
        heap, () -> (long) image(heap, reference).type().fields().size());
  }

  @Override
  public void destroy(StructureContext heap, long reference) {
    image(heap, reference).free();
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return OptimisticReads.betweenCommits(heap, () -> image(heap, reference).values())
        .entrySet()
        .stream();
  }

  /** The fields of an object; empty if it is gone. */
  public Optional<DescribedFields> describe(StructureContext heap, long reference) {
    return OptimisticReads.betweenCommits(
        heap,
        () -> {
          if (heap.allocator().find(reference) == 0) {
            return Optional.empty();
          }
          ObjectImage image = image(heap, reference);
          return Optional.of(new DescribedFields(image.type().name(), image.values()));
        });
  }

  @Override
  public void verify(
      StructureContext heap,
      long reference,
      List<@Nullable Codec<?>> codecs,
      StructureFindings findings) {
    findings.object(reference, Reference.address(reference), null);
  }

  private static ObjectImage image(StructureContext heap, long reference) {
    return ObjectImage.of(
        heap,
        new ObjectLayouts(heap.types(), name -> StoredStructure.codec(heap, name)),
        reference);
  }
}
