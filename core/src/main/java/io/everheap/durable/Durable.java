package io.everheap.durable;

import io.everheap.stability.Stable;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an interface whose objects live in heaps, which the library implements at run time, or a
 * class, which the weaver rewrites.
 *
 * <p><b>Fields</b> are pairs of abstract methods: {@code long balance()} with {@code void
 * balance(long)}, or {@code getBalance} ({@code isOpen}) with {@code setBalance}. A method that
 * writes may also return the object itself. Inherited methods count; a method that reads may be in
 * one interface and the one that writes in another. All other methods must be {@code default} or
 * {@code static}.
 *
 * <p><b>Types of fields</b>: the primitive ones, enums, everything with a codec ({@code String},
 * records, arrays, dates, lists of such, see {@link io.everheap.codec.derived.CodecRegistry}),
 * other durable interfaces, and structures of the heap such as {@code DurableMap<String, Long>}.
 * Fields of primitive types are initially 0 or false; all others are initially null. The value that
 * a codec returns is a copy: to change it, set it again. References to durable objects and
 * structures are shared: they may form cycles, and freeing an object frees no other.
 *
 * <p><b>Reads</b> take no lock. In a transaction they see its own stores. Outside, each read sees a
 * committed value: of two fields, even of one object, the first may be read before a transaction of
 * another thread and the second after it, so the pair may never have existed. Read what belongs
 * together within {@code Heap.read}, or keep it in one field whose type is a record, which is
 * always read as of one commit. <b>Writes</b> outside a transaction are transactions of their own.
 *
 * <p><b>Identity</b>: two objects are equal if they are the same object of the same open heap,
 * whatever their fields hold; the result of {@code ==} is not defined. After {@code Heap.free},
 * every use throws {@link io.everheap.error.GoneException}.
 *
 * <p><b>Changes of the interface</b>: fields can be added, removed, renamed with {@link
 * io.everheap.codec.Was}, widened ({@code int} to {@code long}), and enums can get more constants
 * in any order. A change that would make stored values unreadable is refused with {@link
 * io.everheap.error.SchemaMismatchException} when the program first uses the type.
 *
 * @since 0.9
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Stable
public @interface Durable {
  /**
   * The name of the type in heaps, which must stay the same when the interface is renamed. The
   * default is the binary name of the interface.
   */
  String name() default "";
}
