package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A codec of values of a sealed type: the tag of their class as a text, then the value of that
 * class.
 *
 * @param <T> the type that represents a value
 */
public abstract class SealedForm<T> extends CompositeCodec<T> {
  private final String type;
  private final Map<String, Branch> branches = new LinkedHashMap<>();

  /** A class that values can have. */
  protected record Branch(Label label, Class<?> declaration, Codec<Object> codec) {
    /** The text that a value begins with. */
    public String tag() {
      return label.name();
    }
  }

  /**
   * Creates a codec whose classes are still missing.
   *
   * @param type name of the sealed type, with its type arguments
   */
  protected SealedForm(String type) {
    super("sealed " + type);
    this.type = type;
  }

  /** Adds a class; its declaration is {@code Object} if there is only a description. */
  @SuppressWarnings("unchecked") // it gets values of the class only
  protected final Branch add(Label tag, Class<?> declaration, Codec<?> codec) {
    var branch = new Branch(tag, declaration, (Codec<Object>) codec);
    branches.put(branch.tag(), branch);
    return branch;
  }

  /** The classes by their tags, in their order. */
  protected final Map<String, Branch> branches() {
    return branches;
  }

  /** Takes the tag that a value begins with. */
  protected final Branch readTag(CodecInput in) {
    String tag = in.readUtf();
    Branch branch = branches.get(tag);
    if (branch == null) {
      throw in.corrupt("found a tag that is none of " + branches.keySet());
    }
    return branch;
  }

  /** Name of the sealed type, with its type arguments. */
  public final String type() {
    return type;
  }

  /** The tags of the classes, and their ids. */
  public final List<Label> labels() {
    return branches.values().stream().map(Branch::label).toList();
  }

  @Override
  public final boolean declared() {
    return true;
  }

  @Override
  public final List<Codec<?>> parts() {
    return branches.values().stream().<Codec<?>>map(Branch::codec).toList();
  }

  @Override
  protected final String label(int part) {
    return labels().get(part).text(part) + "=%";
  }
}
