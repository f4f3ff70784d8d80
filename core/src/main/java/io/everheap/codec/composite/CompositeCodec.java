package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.error.CorruptValueException;
import io.everheap.error.TooLargeException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A codec made of other codecs, its parts. The parts of recursive types form cycles, so what is
 * derived from the parts is computed lazily, not during construction.
 *
 * <p>Safe for use by any number of threads once all parts are set: what is computed lazily depends
 * on the parts alone, so threads that compute it at the same time get equal results.
 *
 * @param <T> the type of the values
 */
public abstract class CompositeCodec<T extends @Nullable Object> implements Codec<T> {
  private final String head;
  private final List<Codec<?>> parts;
  private volatile @Nullable String name;
  private volatile @Nullable Boolean canonical;
  private volatile @Nullable Codec<T> versioned;

  /**
   * Creates a codec.
   *
   * @param head what the name begins with; for {@linkplain #declared() declared} types, their
   *     identity
   * @param parts the codecs that this one uses
   */
  protected CompositeCodec(String head, Codec<?>... parts) {
    this.head = head;
    this.parts = List.of(parts);
  }

  /** What the name begins with. */
  public final String head() {
    return head;
  }

  /** The codecs that this one uses, in the order in which the name mentions them. */
  public List<Codec<?>> parts() {
    return parts;
  }

  /** The text of the name around a part, with {@code %} for the part itself. */
  protected String label(int part) {
    return "%";
  }

  /** Whether this is a class of the user, which a name describes once and then only mentions. */
  public boolean declared() {
    return false;
  }

  /** Whether the order in which values are written follows from their equality. */
  protected boolean ordered() {
    return true;
  }

  /** The same codec with other parts; not for declared types. */
  public Codec<?> with(List<Codec<?>> others) {
    throw new UnsupportedOperationException(head);
  }

  /** Appends a value, one level of nesting deeper. */
  protected abstract void encode(T value, CodecOutput out);

  /** Takes what {@link #encode} appended. */
  protected abstract T decode(CodecInput in);

  /**
   * The codec of several versions of this type; created once, so that it is always the same
   * instance.
   */
  public final Codec<T> versioned(Function<Codec<T>, Codec<T>> maker) {
    Codec<T> known = versioned;
    if (known == null) {
      known = maker.apply(this);
      versioned = known;
    }
    return known;
  }

  @Override
  public final void write(T value, CodecOutput out) {
    try {
      out.enter();
      encode(value, out);
      out.leave();
    } catch (StackOverflowError e) { // threads may have small stacks
      throw TooLargeException.value(
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
      known =
          reach(this).stream()
              .allMatch(
                  codec ->
                      codec instanceof CompositeCodec<?> composite
                          ? composite.ordered()
                          : codec.canonical());
      canonical = known;
    }
    return known;
  }

  /** A codec and its parts, transitively, each once, in the order in which names mention them. */
  public static Set<Codec<?>> reach(Codec<?> codec) {
    Set<Codec<?>> found = new LinkedHashSet<>();
    reach(codec, found);
    return found;
  }

  private static void reach(Codec<?> codec, Set<Codec<?>> found) {
    if (found.add(codec) && codec instanceof CompositeCodec<?> composite) {
      composite.parts().forEach(part -> reach(part, found));
    }
  }

  @Override
  public final String toString() {
    return name();
  }
}
