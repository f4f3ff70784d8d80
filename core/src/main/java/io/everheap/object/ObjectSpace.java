package io.everheap.object;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.alloc.SlotShape;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Transactions;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.StaleReferenceException;
import io.everheap.error.UnsupportedTypeException;
import io.everheap.memory.Window;
import io.everheap.object.type.ObjectLayout;
import io.everheap.object.type.StoredTypes;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one open heap, and the durable interfaces and classes that the program uses with
 * it.
 */
public final class ObjectSpace {
  private final Transactions transactions;
  private final WriterLock lock;
  private final HeapMemory memory;
  private final Allocator allocator;
  private final CodecRegistry codecs;
  private final Versions versions;
  private final ObjectMemory objects;
  private final Binder binder;
  private final Map<Class<?>, ObjectType> byClass = new ConcurrentHashMap<>();
  private @Nullable IdentityCache identities;
  private final Map<String, ObjectType> byName = new ConcurrentHashMap<>();

  /** Interfaces that codecs were asked for while others are being bound; guarded by the codecs. */
  private @Nullable List<Class<?>> asked;

  /**
   * The objects of a heap.
   *
   * @param heap the heap
   * @param registered codecs and lookups of the program
   * @param table types of the heap
   * @param structures makes, given the codecs of the heap, what finds the codecs of types of fields
   *     that are structures; null for others
   */
  @SuppressWarnings("this-escape") // what gets it uses it later
  public ObjectSpace(
      HeapContext heap,
      CodecRegistry registered,
      StoredTypes table,
      Function<CodecRegistry, Function<Type, @Nullable Codec<?>>> structures) {
    this.transactions = heap.transactions();
    this.lock = transactions.lock;
    this.memory = heap.memory();
    this.allocator = heap.allocator();
    this.codecs = new CodecRegistry(registered, this::codec);
    this.versions = new Versions(table, transactions);
    this.objects = new ObjectMemory(heap, versions, this);
    this.binder = new Binder(heap, codecs, structures.apply(codecs), table, versions, objects);
    NewObjects.opened(this);
  }

  /** Has each object have one handle as long as the program holds it; before the first object. */
  public void cacheIdentities() {
    identities = new IdentityCache();
  }

  /** Whether objects have one handle each. */
  boolean hasIdentities() {
    return identities != null;
  }

  /** The heap was closed. */
  public void close() {
    NewObjects.closed(this);
  }

  /** Whether this thread runs a transaction of this heap. */
  boolean isWriter() {
    return transactions.isWriter();
  }

  /** The codecs of the heap: those of the program, and of the references to objects. */
  public CodecRegistry codecs() {
    return codecs;
  }

  private @Nullable Codec<?> codec(Class<?> type) {
    if (!ClassModel.isDurable(type)) {
      return null;
    }
    List<Class<?>> later = asked;
    if (later != null) {
      later.add(type);
    } else {
      bind(type);
    }
    return new HeapObjectCodec<>(this, type);
  }

  /**
   * Has the program use an interface, and those that it leads to.
   *
   * @throws IllegalArgumentException if one is not marked as durable, or no interface
   * @throws io.everheap.error.SchemaMismatchException if it cannot read what the heap has
   * @throws UnsupportedTypeException if a field has no codec
   */
  ObjectType bind(Class<?> type) {
    ObjectType known = byClass.get(type);
    return known != null ? known : bindAll(type);
  }

  /** All or none, so that what fails fails again. */
  private ObjectType bindAll(Class<?> type) {
    synchronized (codecs) {
      Map<Class<?>, ObjectType> bound = new HashMap<>();
      Deque<Class<?>> open = new ArrayDeque<>(List.of(type));
      while (!open.isEmpty()) {
        Class<?> next = open.remove();
        if (!byClass.containsKey(next) && !bound.containsKey(next)) {
          List<Class<?>> referred = new ArrayList<>();
          asked = referred;
          try {
            bound.put(next, binder.bind(next, referred));
          } finally {
            asked = null;
          }
          open.addAll(referred);
        }
      }
      Map<String, ObjectType> names = new HashMap<>();
      for (ObjectType each : bound.values()) {
        requireOne(each, names.putIfAbsent(each.descriptor.name(), each));
        requireOne(each, byName.get(each.descriptor.name()));
      }
      byName.putAll(names);
      byClass.putAll(bound);
      ObjectType found = byClass.get(type);
      if (found == null) {
        throw new AssertionError(type);
      }
      return found;
    }
  }

  private static void requireOne(ObjectType type, @Nullable ObjectType other) {
    if (other != null) {
      throw new IllegalArgumentException(
          "Two types of this program have the durable name "
              + type.descriptor.name()
              + ": "
              + type.javaClass
              + " of "
              + type.javaClass.getClassLoader()
              + " and "
              + other.javaClass
              + " of "
              + other.javaClass.getClassLoader());
    }
  }

  /**
   * How a durable class differs from what the heap has of its type; the program does not use it for
   * that.
   *
   * @throws IllegalArgumentException if it is not marked as durable
   */
  public TypeDifference compare(Class<?> type) {
    synchronized (codecs) {
      asked = new ArrayList<>();
      try {
        return binder.compare(type);
      } finally {
        asked = null;
      }
    }
  }

  /** The text of the version that a class has in this heap: the name of its type. */
  public String typeOf(Class<?> type) {
    return bind(type).descriptor.text();
  }

  /** Whether references of a class may lead to objects whose version has this text. */
  public boolean isReadable(Class<?> type, String text) {
    return io.everheap.object.type.TypeDescriptor.isText(text)
        && io.everheap.object.type.TypeDescriptor.parse(text).isA(bind(type).descriptor.name());
  }

  /**
   * Makes an object, in a transaction of its own if there is none.
   *
   * @param init is given the object, inside the transaction
   */
  public <T> T create(Class<T> type, Consumer<? super T> init) {
    ObjectType bound = bind(type);
    DurableObject prototype = bound.prototype;
    if (prototype == null) {
      throw new IllegalArgumentException(bound.problem);
    }
    transactions.begin();
    boolean ok = false;
    try {
      T object = type.cast(type.isInterface() ? make(bound, prototype) : construct(type));
      init.accept(object);
      ok = true;
      return object;
    } finally {
      transactions.lock.endsDue++;
      transactions.end(ok);
    }
  }

  private DurableObject make(ObjectType bound, DurableObject prototype) {
    NewObjects.Made made = allocate(bound);
    DurableObject object = make(bound, prototype, made.reference(), made.header(), made.seen());
    created(object);
    return object;
  }

  private Object construct(Class<?> type) {
    return NewObjects.in(this, WovenClass.of(type)::construct);
  }

  /** Makes an object of a woven class for a handle that is being constructed. */
  NewObjects.Made allocate(Class<?> type) {
    ObjectType bound = bind(type);
    if (bound.prototype == null) {
      throw new IllegalArgumentException(bound.problem);
    }
    return allocate(bound);
  }

  private NewObjects.Made allocate(ObjectType bound) {
    int kind = ObjectLayout.blockType(bound.number.get());
    long reference = allocator.allocate(kind, bound.layout.payload());
    long header = memory.getLong(Reference.address(reference));
    return new NewObjects.Made(
        this, bound, reference, header, lock.frees() | DurableObject.BY_WRITER);
  }

  private static DurableObject make(
      ObjectType type, DurableObject prototype, long reference, long header, long seen) {
    DurableObject object = prototype.everheap$make(type, reference, header);
    object.seen = seen;
    return object;
  }

  /** A handle was made together with its object, by the running transaction. */
  void created(DurableObject object) {
    IdentityCache cache = identities;
    if (cache != null) {
      cache.put(object);
      transactions.onAbort(() -> cache.remove(object.reference));
    }
  }

  /** Of an object whose header the calling thread has just loaded. */
  private DurableObject attached(
      ObjectType type, DurableObject prototype, long reference, long header, long seen) {
    boolean writer = lock.isWriter();
    long found = writer ? seen | DurableObject.BY_WRITER : seen;
    boolean other = header == DurableObject.OTHER_LAYOUT;
    DurableObject object =
        make(type, prototype, reference, header, other ? DurableObject.NEVER : found);
    SlotShape _ = shape(type);
    object.everheap$attached();
    return object;
  }

  /**
   * A handle to an object.
   *
   * @param wanted an interface that it should have
   */
  public Object attach(long reference, Class<?> wanted) {
    return attach(reference, bind(wanted));
  }

  /**
   * A handle to an object.
   *
   * @param type of an interface that it should have
   * @throws io.everheap.error.StaleReferenceException if there is none
   * @throws UnsupportedTypeException if the program does not know its type
   * @throws CorruptHeapException if it is of another type, or no object
   */
  DurableObject attach(long reference, ObjectType type) {
    DurableObject object = attachAtOnce(reference, type);
    if (object != null) {
      return object;
    }
    IdentityCache cache = identities;
    return cache != null ? attachOnce(cache, reference, type) : attachAny(reference, type);
  }

  /**
   * A handle to an object; if there is none any more, one that throws when it is used, so that what
   * holds the reference can be read and changed.
   *
   * @param type of an interface that it should have
   * @throws io.everheap.error.StaleReferenceException if the object is gone, and the program knows
   *     no type whose handle could stand for it
   */
  DurableObject attachOrStale(long reference, ObjectType type) {
    try {
      return attach(reference, type);
    } catch (StaleReferenceException e) {
      transactions.checkRead();
      return stale(reference, type, e);
    }
  }

  private DurableObject stale(long reference, ObjectType wanted, StaleReferenceException why) {
    IdentityCache cache = identities;
    DurableObject known = cache == null ? null : cache.get(reference);
    if (known != null && wanted.javaClass.isInstance(known)) {
      return known;
    }
    ObjectType type = wanted.prototype != null ? wanted : anyBelow(wanted.javaClass);
    if (type == null) {
      throw new StaleReferenceException(
          "A reference to an object of type "
              + wanted
              + " is stale, and the program knows no type whose handle could stand for it: use one"
              + " before, for instance with Heap.use. "
              + why.getMessage());
    }
    DurableObject prototype = Objects.requireNonNull(type.prototype);
    return make(type, prototype, reference, DurableObject.OTHER_LAYOUT, DurableObject.NEVER);
  }

  /** The first by name of the types that can have objects and extend an interface. */
  private @Nullable ObjectType anyBelow(Class<?> wanted) {
    return byName.values().stream()
        .filter(type -> type.prototype != null && wanted.isAssignableFrom(type.javaClass))
        .min(Comparator.comparing(type -> type.descriptor.name()))
        .orElse(null);
  }

  /** The handle that an object has already, if there is one. */
  private DurableObject attachOnce(IdentityCache cache, long reference, ObjectType type) {
    allocator.check(reference);
    DurableObject known = cache.get(reference);
    return known != null && type.javaClass.isInstance(known)
        ? known
        : cache.putIfAbsent(attachAny(reference, type));
  }

  /** The same for a reader, if the object is a committed one of just this type; else null. */
  private @Nullable DurableObject attachAtOnce(long reference, ObjectType type) {
    SlotShape shape = type.shape;
    if (shape == null || lock.isWriter()) {
      return null;
    }
    MemorySegment home = objects.window(reference).now();
    long seen = lock.frees();
    long header = home == null ? 0 : header(home, reference);
    return shape.isBlock(reference, header) ? handle(type, reference, seen) : null;
  }

  /**
   * A handle to an object of just this type, whose shape is known.
   *
   * @param seen what it should have
   */
  DurableObject handle(ObjectType type, long reference, long seen) {
    IdentityCache cache = identities;
    if (cache == null) {
      return handleOf(type, reference, seen);
    }
    DurableObject known = cache.get(reference);
    return known != null && type.javaClass.isInstance(known)
        ? known
        : cache.putIfAbsent(handleOf(type, reference, seen));
  }

  private static DurableObject handleOf(ObjectType type, long reference, long seen) {
    long header = Objects.requireNonNull(type.shape).header(reference);
    DurableObject prototype = Objects.requireNonNull(type.prototype);
    DurableObject object = make(type, prototype, reference, header, seen);
    object.everheap$attached();
    return object;
  }

  /**
   * The shape of the objects of just this type; null if they have none, or if it is not known yet
   * which number their type has.
   */
  @Nullable SlotShape shape(ObjectType type) {
    SlotShape shape = type.shape;
    long number = type.number.known();
    if (shape == null && type.prototype != null && number != 0) {
      shape = allocator.shape(ObjectLayout.blockType(number), type.layout.payload());
      type.shape = shape;
    }
    return shape;
  }

  /** The word at the address of a block; 0, which is no header of one, if it cannot be loaded. */
  private long header(MemorySegment home, long reference) {
    try {
      return Window.load(home, memory.windowOffset(Reference.address(reference)));
    } catch (IllegalStateException | IndexOutOfBoundsException e) {
      return 0;
    }
  }

  /** The same, by the writer, or of objects of another layout or class. */
  private DurableObject attachAny(long reference, ObjectType type) {
    long seen = lock.frees();
    long header = allocator.header(reference);
    DurableObject prototype = type.prototype;
    int kind = Allocator.typeOf(header);
    if (prototype != null && ObjectLayout.number(kind) == type.number.known()) {
      return attached(type, prototype, reference, header, seen);
    }
    return attachAny(reference, header, seen, type.javaClass);
  }

  private DurableObject attachAny(long reference, long header, long seen, Class<?> wanted) {
    int kind = Allocator.typeOf(header);
    boolean moved = kind == ObjectLayout.MOVED;
    StoredVersion version =
        moved ? objects.version(reference) : versions.of(ObjectLayout.number(kind));
    ObjectType type = byName.get(version.type.name());
    DurableObject prototype = type == null ? null : type.prototype;
    if (type == null || prototype == null) {
      throw new UnsupportedTypeException(
          version.type.name(),
          wanted.getSimpleName(),
          "the heap has an object of this type that the program was never told of: use its"
              + " interface before, for instance with Heap.use, or make "
              + wanted.getSimpleName()
              + " sealed",
          null);
    }
    if (!wanted.isInstance(prototype)) {
      throw new CorruptHeapException(
          "The reference "
              + Reference.describe(reference)
              + " leads to an object of type "
              + version.type.name()
              + " where one of "
              + wanted.getName()
              + " belongs.");
    }
    boolean current = !moved && type.isCurrent(version);
    if (current && !transactions.isWriter()) {
      type.number.found(ObjectLayout.number(kind));
    }
    return attached(
        type, prototype, reference, current ? header : DurableObject.OTHER_LAYOUT, seen);
  }

  /** Tells the heap of interfaces whose objects it may meet. */
  public void use(Class<?> type) {
    bind(type);
  }

  /** The reference of an object of this heap. */
  public long referenceOf(Object object) {
    return reference(object);
  }

  /** Whether two values are handles to the same object of the same open heap. */
  public static boolean isOne(@Nullable Object a, @Nullable Object b) {
    return a instanceof DurableObject o && o.isSame(b);
  }

  /**
   * The reference of an object of this heap, or 0 for null.
   *
   * @throws IllegalArgumentException if it is none
   * @throws io.everheap.error.StaleReferenceException if it was freed
   */
  long reference(@Nullable Object value) {
    if (value == null) {
      return Reference.NULL;
    }
    DurableObject object = own(value);
    requireThere(object);
    return object.reference;
  }

  /**
   * The reference of a handle of this heap, whether its object is there or not: to look for it.
   *
   * @throws IllegalArgumentException if it is none
   */
  long referenceToFind(Object value) {
    return own(value).reference;
  }

  private void requireThere(DurableObject object) {
    try {
      allocator.check(object.reference);
    } catch (StaleReferenceException e) {
      throw object.type.gone(object.reference, e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // a heap that was opened again is another one
  private DurableObject own(Object value) {
    if (!(value instanceof DurableObject object)) {
      throw new IllegalArgumentException(
          value.getClass().getName()
              + " is no object of a heap, though its type is durable; only objects that Heap.create"
              + " made, or the constructor of a woven class, can be stored");
    }
    if (object.memory() != objects) {
      throw new IllegalArgumentException("the object " + object.name() + " is of another heap");
    }
    return object;
  }

  /**
   * The reference of an object of this heap, or 0 for null, for a value that is encoded: inside a
   * transaction it is about to be stored.
   *
   * @throws IllegalArgumentException if it is none
   * @throws io.everheap.error.StaleReferenceException if it was freed, or is as good as freed
   */
  long stored(@Nullable Object value) {
    long reference = reference(value);
    if (reference != Reference.NULL) {
      transactions.storing(reference);
    }
    return reference;
  }

  /**
   * Frees an object and the values of its fields; objects that it refers to stay.
   *
   * @throws io.everheap.error.StaleReferenceException if it was freed already
   */
  public void free(Object object) {
    objects.transact(() -> objects.free(reference(object)));
  }
}
