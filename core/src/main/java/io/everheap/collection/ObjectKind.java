package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.collection.base.OptimisticReads;
import io.everheap.collection.base.StructureFindings;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.object.type.ObjectImage;
import io.everheap.object.type.ObjectLayouts;
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
  public long[] types(Engine engine, long reference) {
    return new long[] {ObjectImage.versionOf(engine, reference)};
  }

  @Override
  public long size(Engine engine, long reference) {
    return OptimisticReads.betweenCommits(
        engine, () -> (long) image(engine, reference).type().fields().size());
  }

  @Override
  public void destroy(Engine engine, long reference) {
    image(engine, reference).free();
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      Engine engine, long reference, List<Codec<Object>> codecs) {
    return OptimisticReads.betweenCommits(engine, () -> image(engine, reference).values())
        .entrySet()
        .stream();
  }

  /** The fields of an object; empty if it is gone. */
  public Optional<DescribedFields> describe(Engine engine, long reference) {
    return OptimisticReads.betweenCommits(
        engine,
        () -> {
          if (engine.allocator().find(reference) == 0) {
            return Optional.empty();
          }
          ObjectImage image = image(engine, reference);
          return Optional.of(new DescribedFields(image.type().name(), image.values()));
        });
  }

  @Override
  public void verify(
      Engine engine, long reference, List<@Nullable Codec<?>> codecs, StructureFindings findings) {
    findings.object(reference, Reference.address(reference), null);
  }

  private static ObjectImage image(Engine engine, long reference) {
    return ObjectImage.of(
        engine,
        new ObjectLayouts(new TypeTable(engine), name -> DescribedStructure.codec(engine, name)),
        reference);
  }
}
