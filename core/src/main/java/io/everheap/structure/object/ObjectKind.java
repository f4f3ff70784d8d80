package io.everheap.structure.object;

import io.everheap.codec.Codec;
import io.everheap.collection.DescribedFields;
import io.everheap.collection.Undecodable;
import io.everheap.durable.bind.ObjectSpace;
import io.everheap.durable.type.ObjectImage;
import io.everheap.durable.type.ObjectLayouts;
import io.everheap.durable.type.Storage;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.CorruptValueException;
import io.everheap.error.UnsupportedTypeException;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.Original;
import io.everheap.structure.common.ShapeParts;
import io.everheap.structure.common.StoredBytes;
import io.everheap.structure.common.StoredStructure;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.StructureKind;
import io.everheap.structure.common.StructureKinds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The kind of durable objects, as roots. What one holds are its fields. Blocks of objects have many
 * types: see {@link StructureKinds#of}.
 */
public final class ObjectKind extends StructureKind {
  /** The only one. */
  public static final ObjectKind INSTANCE = new ObjectKind();

  private ObjectKind() {
    super("object", BlockType.OBJECT_MOVED, new Part("type", false));
  }

  /** What it takes to make or find an object. */
  private record Root<T>(ObjectSpace objects, Class<T> type, Consumer<? super T> init) {
    long create() {
      return objects.referenceOf(objects.create(type, init));
    }
  }

  /**
   * The definition of an object as a root.
   *
   * @param init is given a new one
   */
  public static <T> Definition<T> of(ObjectSpace objects, Class<T> type, Consumer<? super T> init) {
    List<String> types = List.of(objects.typeOf(type));
    return new Definition<>(INSTANCE, List.of(), types, new Root<>(objects, type, init));
  }

  @Override
  public Definition<?> define(ShapeParts shape) {
    throw new IllegalArgumentException("an object has no shapes");
  }

  @Override
  protected long create(StructureContext heap, Definition<?> definition, long[] types) {
    return definition.option(Root.class).create();
  }

  @Override
  protected Object attach(StructureContext heap, Definition<?> definition, long reference) {
    Root<?> root = definition.option(Root.class);
    return root.type.cast(root.objects.attach(reference, root.type));
  }

  @Override
  protected boolean reads(Definition<?> definition, int part, String stored) {
    Root<?> root = definition.option(Root.class);
    return root.objects.isReadable(root.type, stored);
  }

  @Override
  public Definition<?> copyDefinition(Original original) {
    throw new UnsupportedOperationException("an object cannot be copied as a structure");
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
  protected void free(StructureContext heap, long reference) {
    image(heap, reference).free();
  }

  @Override
  public Stream<Map.Entry<Object, Object>> entries(
      StructureContext heap, long reference, List<Codec<Object>> codecs) {
    return OptimisticReads.betweenCommits(heap, () -> values(image(heap, reference)))
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
          return Optional.of(new DescribedFields(image.type().name(), values(image)));
        });
  }

  /**
   * The fields of an object by their names. Those that this JVM does not decode are {@link
   * Undecodable}, those that only the program can decode a text that says so.
   */
  private static Map<Object, Object> values(ObjectImage image) {
    Map<Object, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < image.type().fields().size(); i++) {
      TypeDescriptor.Field field = image.type().fields().get(i);
      Object value;
      try {
        value = image.value(i);
      } catch (UnsupportedTypeException e) {
        value = "(only the program knows " + field.type().detail() + ")";
      } catch (CorruptValueException e) {
        String place = image.type().name() + '.' + field.name();
        String type = field.type().detail();
        CorruptValueException reason =
            new CorruptValueException(
                "What the field "
                    + place
                    + " holds cannot be read by the codec "
                    + type
                    + ": "
                    + e.getMessage(),
                e);
        value = StoredBytes.undecodable(field.name(), type, stored(image, i), reason);
      }
      values.put(field.name(), value);
    }
    return values;
  }

  private static Encoded stored(ObjectImage image, int field) {
    if (image.type().fields().get(field).type().storage() != Storage.CELL) {
      return Encoded.ofWord(image.bits(field));
    }
    byte[] bytes = image.bytes(field);
    return Encoded.ofBytes(bytes, bytes.length);
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
