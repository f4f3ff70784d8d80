package io.everheap.durable.bind;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.durable.TypeDifference;
import io.everheap.durable.handle.Attachments;
import io.everheap.durable.handle.BoundType;
import io.everheap.durable.handle.NewObjects;
import io.everheap.durable.handle.ObjectHandle;
import io.everheap.durable.handle.ObjectMemory;
import io.everheap.durable.handle.OwnObjects;
import io.everheap.durable.handle.WovenClass;
import io.everheap.durable.type.StoredTypes;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.durable.type.Versions;
import io.everheap.engine.HeapContext;
import io.everheap.engine.tx.Transactions;
import java.lang.reflect.Type;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one open heap, and the durable interfaces and classes that the program uses with
 * it.
 *
 * <p>Safe for use by many threads.
 */
public final class ObjectSpace implements NewObjects.Maker {
  private final Transactions transactions;
  private final ObjectMemory memory;
  private final BoundTypes types;

  /**
   * The objects of a heap.
   *
   * @param heap the heap
   * @param registered codecs and lookups of the program
   * @param table types of the heap
   * @param structures given the codecs of the heap, returns what finds the codecs of types of
   *     fields that are structures; null for others
   */
  public ObjectSpace(
      HeapContext heap,
      CodecRegistry registered,
      StoredTypes table,
      Function<CodecRegistry, Function<Type, @Nullable Codec<?>>> structures) {
    this.transactions = heap.transactions();
    this.memory = new ObjectMemory(heap, new Versions(table, transactions));
    this.types = new BoundTypes(memory, registered, structures);
    NewObjects.opened(this);
  }

  /**
   * Gives each object one handle as long as the program holds it. Called before the first handle is
   * made.
   */
  public void cacheIdentities() {
    memory.cacheIdentities();
  }

  /** The heap was closed. */
  public void close() {
    NewObjects.closed(this);
  }

  @Override
  public boolean isWriter() {
    return transactions.isWriter();
  }

  @Override
  public NewObjects.Made make(Class<?> type) {
    return types.of(type).allocate();
  }

  /** The codecs of the heap: those of the program, and of references to objects. */
  public CodecRegistry codecs() {
    return types.codecs();
  }

  /** Binds a durable interface or class, so that its objects are recognized. */
  public void use(Class<?> type) {
    BoundType _ = types.of(type);
  }

  /**
   * Returns how a durable class differs from the type that the heap has stored; binds nothing.
   *
   * @throws IllegalArgumentException if the class is not marked as durable
   */
  public TypeDifference compare(Class<?> type) {
    return types.compare(type);
  }

  /** Returns the text of the version that a class has in this heap: the name of its type. */
  public String typeOf(Class<?> type) {
    return types.of(type).descriptor().text();
  }

  /** Whether references of a class may lead to objects whose version has this text. */
  public boolean isReadable(Class<?> type, String text) {
    return TypeDescriptor.isText(text)
        && TypeDescriptor.parse(text).isA(types.of(type).descriptor().name());
  }

  /**
   * Makes an object, in the running transaction or one of its own.
   *
   * @param init is given the object, inside the transaction
   * @throws IllegalArgumentException if there are no objects of exactly this type
   */
  public <T> T create(Class<T> type, Consumer<? super T> init) {
    BoundType bound = types.of(type);
    ObjectHandle _ = bound.prototype();
    transactions.begin();
    boolean ok = false;
    try {
      T object = type.cast(type.isInterface() ? bound.create() : construct(type));
      init.accept(object);
      ok = true;
      return object;
    } catch (InternalError e) {
      throw transactions.faulted(e);
    } finally {
      transactions.lock.endsDue++;
      transactions.end(ok);
    }
  }

  private Object construct(Class<?> type) {
    return NewObjects.in(this, WovenClass.of(type)::construct);
  }

  /**
   * Returns a handle of an object.
   *
   * @param wanted class of which the object must be
   */
  public Object attach(long reference, Class<?> wanted) {
    return Attachments.attach(types.of(wanted), reference);
  }

  /** Returns the reference of an object of this heap. */
  public long referenceOf(Object object) {
    return OwnObjects.reference(memory, object);
  }

  /**
   * Frees an object and the values of its fields; objects that it refers to stay.
   *
   * @throws io.everheap.error.GoneException if it was freed already
   */
  public void free(Object object) {
    OwnObjects.free(memory, object);
  }
}
