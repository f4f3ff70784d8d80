package io.everheap.durable.handle;

import io.everheap.engine.tx.ReadAgain;
import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import org.jspecify.annotations.Nullable;

/**
 * The exception for a stored value that a codec did not decode. Any exception of a codec means
 * that, except those of the heap that the codec reads, such as a reference to a freed structure.
 */
public final class DecodeFailure {
  private DecodeFailure() {}

  /**
   * Returns the exception to throw.
   *
   * @param holder what holds the value; null if that is not known
   * @param codec its name
   * @param e what the codec threw
   * @return a {@link CorruptValueException} that names both, or {@code e} if it is of the heap
   */
  public static RuntimeException of(@Nullable String holder, String codec, Throwable e) {
    boolean known = e instanceof CorruptValueException;
    if (known ? holder == null : e instanceof EverheapException || e instanceof ReadAgain) {
      return (RuntimeException) e;
    }
    return new CorruptValueException(
        (holder == null ? "A value" : "What " + holder + " holds")
            + " cannot be read by the codec "
            + codec
            + ": "
            + (known ? e.getMessage() : "it throws " + e.getClass().getName()),
        e);
  }
}
