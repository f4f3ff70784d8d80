package io.everheap.memory;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Gives modules of this project what public objects hide from users. A public class calls {@link
 * #show} in its static initializer, so no public type needs a hidden superclass or method.
 * Thread-safe.
 */
public final class Internals {
  /** A value lives as long as its class, so that a class loader can be collected. */
  private static final ClassValue<AtomicReference<Function<Object, ?>>> SHOWN =
      new ClassValue<>() {
        @Override
        protected AtomicReference<Function<Object, ?>> computeValue(Class<?> type) {
          return new AtomicReference<>();
        }
      };

  private Internals() {}

  /**
   * Sets what the objects of a class show.
   *
   * @param <T> the objects
   * @param type a final class
   * @param internals returns the internals of an object, which are of one class
   */
  public static <T> void show(Class<T> type, Function<? super T, ?> internals) {
    if (!SHOWN.get(type).compareAndSet(null, object -> internals.apply(type.cast(object)))) {
      throw new IllegalStateException(type + " shows its internals already");
    }
  }

  /**
   * Returns the internals of an object.
   *
   * @param <P> the internals
   * @param object of a class that shows its internals
   * @param type of the internals
   * @throws ClassCastException if its internals are of another type
   */
  public static <P> P of(Object object, Class<P> type) {
    Function<Object, ?> shown = SHOWN.get(object.getClass()).get();
    return type.cast(
        Objects.requireNonNull(shown, () -> object.getClass() + " shows nothing").apply(object));
  }
}
