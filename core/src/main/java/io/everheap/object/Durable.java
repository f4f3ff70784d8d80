package io.everheap.object;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an interface whose objects live in heaps. The library implements it at run time.
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
 * Fields of other than primitive types can be null, and are at first; those of primitive types are
 * 0 or false at first. What a codec makes is a copy: to change it, set it again. References to
 * durable objects and structures are shared: they form cycles if you like, and to free one object
 * frees no other.
 *
 * <p><b>Reads</b> take no lock. In a transaction they see its own stores; outside, each sees a
 * committed value on its own: of two fields, also of one object, the first may be read before a
 * transaction of another thread and the second after it, so that a pair is seen that never was.
 * What belongs together is read within {@code Heap.read}, or is one field whose type is a record,
 * of which a read always has one commit's. <b>Writes</b> outside a transaction are transactions of
 * their own.
 *
 * <p><b>Identity</b>: two objects are equal if they are the same object of the same open heap,
 * whatever their fields hold; {@code ==} says nothing. After {@code Heap.free}, every use throws
 * {@link io.everheap.error.StaleReferenceException}.
 *
 * <p><b>Changes of the interface</b>: fields can be added, removed, renamed with {@link
 * io.everheap.codec.Was}, widened ({@code int} to {@code long}), and enums can get more constants
 * in any order. A change that would make stored values unreadable is refused with {@link
 * io.everheap.error.SchemaMismatchException} when the program first uses the type.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Durable {
  /**
   * The name of the type in heaps, which must stay the same when the interface gets another name.
   * The binary name of the interface unless it is given.
   */
  String name() default "";
}
