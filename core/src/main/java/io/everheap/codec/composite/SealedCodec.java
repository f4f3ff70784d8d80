package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Was;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Values of a sealed type of the program. */
public final class SealedCodec<T> extends SealedForm<T> implements DeclaredType {
  private final Class<?> declaration;
  private final Map<Class<?>, Branch> byClass = new HashMap<>();

  /**
   * Creates a codec whose {@linkplain #link classes} are still missing.
   *
   * @param type name of the sealed type, with its type arguments
   */
  public SealedCodec(Class<?> declaration, String type) {
    super(type);
    this.declaration = declaration;
  }

  /** Adds a class that values can have. */
  public void link(String tag, Class<?> subclass, Codec<?> codec) {
    var label = new Label(tag, List.of(), branches().size() + 1);
    byClass.put(subclass, add(label, subclass, codec));
  }

  @Override
  public Class<?> declaration() {
    return declaration;
  }

  @Override
  public List<Member> members() {
    List<Member> members = new ArrayList<>();
    branches()
        .forEach(
            (tag, branch) ->
                members.add(new Member(tag, formerly(branch.declaration()), List.of())));
    return members;
  }

  /** Tags are mostly simple names; {@link Was} states binary names. */
  private static List<String> formerly(Class<?> subclass) {
    List<String> formerly = new ArrayList<>();
    for (String name : DeclaredType.formerly(subclass)) {
      formerly.add(name);
      formerly.add(name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1));
    }
    return formerly;
  }

  @Override
  protected void encode(T value, CodecOutput out) {
    Branch branch = branch(value);
    out.writeUtf(branch.tag());
    branch.codec().write(value, out);
  }

  @Override
  @SuppressWarnings("unchecked") // a permitted subclass
  protected T decode(CodecInput in) {
    return (T) readTag(in).codec().read(in);
  }

  private Branch branch(T value) {
    Branch exact = byClass.get(value.getClass());
    if (exact != null) {
      return exact;
    }
    for (Branch branch :
        branches().values()) { // enum constants with bodies, subclasses of non-sealed classes
      if (branch.declaration().isInstance(value)) {
        return branch;
      }
    }
    throw new ClassCastException(value.getClass() + " is not of type " + type());
  }
}
