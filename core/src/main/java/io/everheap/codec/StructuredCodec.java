package io.everheap.codec;

import io.everheap.error.CorruptValueException;
import io.everheap.error.ValueTooLargeException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A codec made of other codecs, its parts. The parts of recursive types form cycles, so whatever
 * follows from the parts is computed when it is first asked for, not during construction.
 */
abstract class StructuredCodec<T extends @Nullable Object> implements Codec<T> {
  private volatile @Nullable String name;
  private volatile @Nullable Boolean canonical;
  private volatile @Nullable VersionsCodec<T> versioned;

  /** The codec of values whose type can change later, if this one's is the only version. */
  final VersionsCodec<T> versioned() {
    VersionsCodec<T> known = versioned;
    if (known == null) {
      known = new VersionsCodec<>(List.of(this), List.of(this), 0, this);
      versioned = known;
    }
    return known;
  }

  /** What the name begins with; for {@linkplain #declared() declared} types, their identity. */
  abstract String head();

  /** The codecs that this one uses. */
  abstract List<Codec<?>> parts();

  /** What the name has around a part, with {@code %} for the part itself. */
  String label(int part) {
    return "%";
  }

  /** Whether this is a class of the user, which a name describes once and then only mentions. */
  boolean declared() {
    return false;
  }

  /** Whether the order in which values are written follows from their equality. */
  boolean ordered() {
    return true;
  }

  /** The same with other parts; only if it is not declared. */
  StructuredCodec<?> with(List<Codec<?>> others) {
    throw new UnsupportedOperationException(head());
  }

  abstract void encode(T value, CodecOutput out);

  abstract T decode(CodecInput in);

  @Override
  public final void write(T value, CodecOutput out) {
    try {
      out.enter();
      encode(value, out);
      out.leave();
    } catch (StackOverflowError e) { // threads may have small stacks
      throw new ValueTooLargeException(
          "the value is nested too deeply for the stack of this thread", e);
    }
  }

  @Override
  public final T read(CodecInput in) {
    try {
      in.enter();
      T value = decode(in);
      in.leave();
      return value;
    } catch (StackOverflowError e) { // threads may have small stacks
      throw new CorruptValueException(
          "a stored value is nested too deeply for the stack of this thread", e);
    }
  }

  @Override
  public final String name() {
    String known = name;
    if (known == null) {
      known = CodecNames.describe(this);
      name = known;
    }
    return known;
  }

  @Override
  public final boolean canonical() {
    Boolean known = canonical;
    if (known == null) {
      known = allCanonical();
      canonical = known;
    }
    return known;
  }

  /** Visits each codec once, however it is reached. */
  private boolean allCanonical() {
    Set<Codec<?>> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Codec<?>> open = new ArrayDeque<>();
    open.add(this);
    while (!open.isEmpty()) {
      Codec<?> next = open.remove();
      if (next instanceof StructuredCodec<?> structured) {
        if (!structured.ordered()) {
          return false;
        }
        if (seen.add(next)) {
          open.addAll(structured.parts());
        }
      } else if (!next.canonical()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public final String toString() {
    return name();
  }
}
