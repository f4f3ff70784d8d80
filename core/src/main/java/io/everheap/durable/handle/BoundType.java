package io.everheap.durable.handle;

import io.everheap.durable.ObjectType;
import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.StoredVersion;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.durable.type.TypeNumber;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.alloc.SlotShape;
import io.everheap.error.GoneException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A durable interface or class in one open heap: its version, its layout, its fields, and the
 * prototype of its handles.
 *
 * <p>Safe for use by many threads. The plain fields that change are caches, of which every thread
 * computes the same value.
 */
public final class BoundType implements ObjectType {
  final ObjectMemory memory;
  final Types types;
  final Class<?> javaClass;
  final TypeDescriptor descriptor;
  final ObjectLayout layout;
  final BoundField[] fields;
  final TypeNumber number;

  /** By the index of a field in a woven class: its offset if primitive, else its position. */
  final int[] places;

  /** Null if there are no objects of exactly this type. */
  final @Nullable ObjectHandle prototype;

  /** Why there are none. */
  private final @Nullable String problem;

  private final Map<StoredVersion, int[]> positions = new ConcurrentHashMap<>();

  /** The shape of its objects; null until {@link #shape} found it. */
  @Nullable SlotShape shape;

  /** The last stored version that was equal to the descriptor. */
  private @Nullable StoredVersion current;

  /** The types that the program uses with the heap. */
  public interface Types {
    /** Returns the type of a durable class, which is bound if it is not yet. */
    BoundType of(Class<?> type);

    /** Returns the bound type with a name in the heap; null if there is none. */
    @Nullable BoundType named(String name);

    /** Returns the first by name of the bound types that have objects and extend a class. */
    @Nullable BoundType anyBelow(Class<?> type);
  }

  /**
   * Binds a type that has objects.
   *
   * @param places of the fields of a woven class
   */
  public BoundType(
      ObjectMemory memory,
      Types types,
      Class<?> javaClass,
      ObjectLayout layout,
      BoundField[] fields,
      int[] places,
      ObjectHandle prototype) {
    this(memory, types, javaClass, layout, fields, places, prototype, null);
  }

  private BoundType(
      ObjectMemory memory,
      Types types,
      Class<?> javaClass,
      ObjectLayout layout,
      BoundField[] fields,
      int[] places,
      @Nullable ObjectHandle prototype,
      @Nullable String problem) {
    this.memory = memory;
    this.types = types;
    this.javaClass = javaClass;
    this.descriptor = layout.type();
    this.layout = layout;
    this.fields = fields;
    this.places = places;
    this.number = memory.versions.number(descriptor);
    this.prototype = prototype;
    this.problem = problem;
  }

  /**
   * Binds a type without objects of its own: only its subtypes have some.
   *
   * @param problem why there are no objects of exactly this type
   */
  public static BoundType withoutObjects(
      ObjectMemory memory,
      Types types,
      Class<?> javaClass,
      TypeDescriptor descriptor,
      String problem) {
    ObjectLayout layout = ObjectLayout.of(descriptor);
    return new BoundType(
        memory, types, javaClass, layout, new BoundField[0], new int[0], null, problem);
  }

  /** The interface or class of the program. */
  public Class<?> javaClass() {
    return javaClass;
  }

  /** The version of the type that the class has. */
  public TypeDescriptor descriptor() {
    return descriptor;
  }

  /** Whether there are objects of exactly this type. */
  public boolean hasObjects() {
    return prototype != null;
  }

  /**
   * Returns the handle that creates others.
   *
   * @throws IllegalArgumentException if there are no objects of exactly this type
   */
  public ObjectHandle prototype() {
    ObjectHandle known = prototype;
    if (known == null) {
      throw new IllegalArgumentException(problem);
    }
    return known;
  }

  /** Returns the header of an object of this type, after {@link #shape} was found. */
  public long header(long reference) {
    return Objects.requireNonNull(shape).header(reference);
  }

  /**
   * Returns the shape of objects of exactly this type; null if there are none, or if the number of
   * the type is not known yet.
   */
  @Nullable SlotShape shape() {
    SlotShape known = shape;
    long committed = number.known();
    if (known == null && prototype != null && committed != 0) {
      known = memory.allocator.shape(ObjectLayout.blockType(committed), layout.payload());
      shape = known;
    }
    return known;
  }

  /**
   * Makes an object, inside a transaction.
   *
   * @throws IllegalArgumentException if there are no objects of exactly this type
   */
  public NewObjects.Made allocate() {
    ObjectHandle _ = prototype();
    int kind = ObjectLayout.blockType(number.get());
    long reference = memory.allocator.allocate(kind, layout.payload());
    long header = memory.memory.getLong(Reference.address(reference));
    long seen = memory.lock.frees() | ObjectMemory.BY_WRITER;
    return new NewObjects.Made(this, reference, header, seen);
  }

  /**
   * Makes an object and a handle of it, inside a transaction.
   *
   * @throws IllegalArgumentException if there are no objects of exactly this type
   */
  public ObjectHandle create() {
    NewObjects.Made made = allocate();
    ObjectHandle object = handle(made.reference(), made.header(), made.seen());
    memory.created(made.reference(), object);
    return object;
  }

  /** A new handle of an object, before {@code everheap$attached}. */
  ObjectHandle handle(long reference, long header, long seen) {
    ObjectHandle object = prototype().everheap$make(this, reference, header);
    object.seen = seen;
    return object;
  }

  /** Positions of the class's fields in a stored version; -1 for those that it does not have. */
  int[] positions(StoredVersion version) {
    int[] known = positions.get(version);
    if (known == null) {
      known = new int[fields.length];
      for (int i = 0; i < known.length; i++) {
        TypeDescriptor.Field stored = version.type().field(fields[i].descriptor.id());
        known[i] = stored == null ? -1 : version.type().fields().indexOf(stored);
      }
      positions.put(version, known);
    }
    return known;
  }

  /** Whether a stored version is the one of the class. */
  @SuppressWarnings("ReferenceEquality") // the fast path
  boolean isCurrent(StoredVersion version) {
    if (version == current) {
      return true;
    }
    boolean same = version.type().equals(descriptor);
    if (same) {
      current = version;
    }
    return same;
  }

  /** The field that begins at an offset. */
  BoundField at(int offset) {
    for (BoundField field : fields) {
      if (field.offset == offset) {
        return field;
      }
    }
    throw new AssertionError("no field of " + javaClass + " is at " + offset);
  }

  /** The exception for an object that is gone; it names the type and the likely reasons. */
  GoneException gone(long reference, GoneException why) {
    return GoneException.reference(
        nameOf(reference)
            + " is not in the heap: it was freed, or made in a transaction that was rolled back. "
            + why.getMessage());
  }

  /** The type and the address of an object, for messages. */
  String nameOf(long reference) {
    return javaClass.getSimpleName() + '@' + Long.toHexString(Reference.address(reference));
  }

  @Override
  public String toString() {
    return descriptor.name();
  }
}
