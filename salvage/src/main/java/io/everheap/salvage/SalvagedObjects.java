package io.everheap.salvage;

import io.everheap.Heap;
import io.everheap.check.ObjectWalk;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.durable.type.ObjectCopies;
import io.everheap.durable.type.ObjectImage;
import io.everheap.durable.type.ObjectLayouts;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.CorruptException;
import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import io.everheap.error.GoneException;
import io.everheap.error.UnsupportedTypeException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.Structures;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.NestedNames;
import io.everheap.structure.common.NestedType;
import io.everheap.structure.common.ObjectCheck;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.ValueCheck;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Maps objects of the damaged heap to their copies in the new one. An object has one copy, whatever
 * refers to it, so sharing and cycles are preserved. Also translates values that refer to objects
 * or structures. Used by one thread.
 */
final class SalvagedObjects implements ObjectCopies.Mover {
  private static final String MENTION = "object ";

  private final StructureContext source;
  private final Heap target;
  private final StructureContext.Types newTypes;
  private final SalvagedStructures structures;
  private final ObjectCopies objects;
  private final ObjectLayouts layouts;
  private final Map<Long, String> types = new TreeMap<>(); // filled when they are known
  private final Map<Long, Long> copies = new HashMap<>();
  private final Map<String, Codec<Object>> codecs = new HashMap<>();
  private final Map<String, Coding<Object>> codings = new HashMap<>();

  SalvagedObjects(StructureContext source, Heap target, SalvagedStructures structures) {
    this.source = source;
    this.target = target;
    this.structures = structures;
    this.newTypes = OpenHeap.structures(target).types();
    this.objects = new ObjectCopies(OpenHeap.structures(target));
    this.layouts = new ObjectLayouts(new ObjectWalk.Found(types), DescribedCodecs::of);
  }

  /** Adds all versions of the types of objects to the new heap, the oldest first. */
  void useTypes(Map<Long, String> names) {
    types.putAll(names);
    target.transact(
        () ->
            types.values().stream()
                .filter(TypeDescriptor::isText)
                .forEach(text -> newTypes.number(text)));
  }

  /** The name of the type of an object, or null if it cannot be read. */
  @Nullable String typeOf(long original) {
    try {
      return image(original).type().name();
    } catch (GoneException | CorruptException | IndexOutOfBoundsException e) {
      Damage.rethrowOfLog(e);
      return null;
    }
  }

  private ObjectImage image(long original) {
    return ObjectImage.of(source, layouts, original);
  }

  /** The copy of an object, made without the values of its fields if there is none. */
  @Override
  public long object(long original) {
    Long known = copies.get(original);
    if (known != null) {
      return known;
    }
    String missing = ObjectCheck.missing(source, original);
    if (missing != null) {
      throw new CorruptValueException(
          "the object at " + Reference.describe(original) + " is lost: " + missing);
    }
    TypeDescriptor type = image(original).type();
    long made = objects.make(type, newTypes.number(type.text()));
    copies.put(original, made);
    return made;
  }

  /**
   * Copies the values of the fields, inside a transaction.
   *
   * @return bytes that were stored
   */
  long fill(long original, Consumer<String> lost) {
    return objects.fill(object(original), image(original), this, lost);
  }

  /** Translates a raw value: its references lead to the copies of their targets. */
  Object moved(String type, Object raw) {
    return raw instanceof Long word
        ? (Object) movedWord(type, word)
        : movedBytes(type, (byte[]) raw);
  }

  /**
   * Translates the word of a field.
   *
   * @throws EverheapException if it is no value of the type
   */
  @Override
  public long word(String type, long word) {
    if (!NestedNames.isNested(type) && !type.startsWith(MENTION)) {
      requireDecodes(type, coding -> coding.decode(word));
    }
    return movedWord(type, word);
  }

  /**
   * Translates the bytes of a field.
   *
   * @throws EverheapException if they are no value of the type
   */
  @Override
  public byte[] bytes(String type, byte[] bytes) {
    requireDecodes(type, coding -> coding.decode(bytes, 0, bytes.length));
    return movedBytes(type, bytes);
  }

  /** Fields are checked here; elements and entries were checked when they were found. */
  private void requireDecodes(String type, Function<Coding<Object>, Object> decode) {
    try {
      Object _ =
          decode.apply(
              codings.computeIfAbsent(type, name -> new Coding<>(DescribedCodecs.of(name))));
    } catch (UnsupportedTypeException e) {
      // Only the program knows the type.
    } catch (EverheapException e) {
      if (!ValueCheck.isSound(e)) {
        throw e;
      }
    }
  }

  private long movedWord(String type, long word) {
    if (NestedNames.isNested(type)) {
      source.allocator().check(word);
      return structures.copyOf(word, NestedType.parse(type, Structures.KINDS));
    }
    return type.startsWith(MENTION) ? object(word) : word;
  }

  private byte[] movedBytes(String type, byte[] bytes) {
    if (!type.contains(MENTION)) {
      return bytes;
    }
    Codec<Object> codec =
        codecs.computeIfAbsent(type, name -> DescribedCodecs.moving(name, this::object));
    CodecInput in = new CodecInput(bytes);
    Object value = codec.read(in);
    in.expectEnd();
    CodecOutput out = CodecOutput.withCapacity(bytes.length);
    codec.write(value, out);
    return out.toByteArray();
  }
}
