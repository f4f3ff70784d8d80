package io.everheap.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Values of a sealed type: the tag of their class as a text, then the value of that class. */
final class SealedCodec<T> extends StructuredCodec<T> {
  private final TypeShape type;
  private final List<Branch> branches = new ArrayList<>();
  private final Map<String, Branch> byTag = new HashMap<>();
  private final Map<Class<?>, Branch> byClass = new HashMap<>();

  private record Branch(String tag, Class<?> type, Codec<Object> codec) {}

  /** Creates a codec whose {@linkplain #link parts} are still missing. */
  SealedCodec(TypeShape type) {
    this.type = type;
  }

  /** Adds a class that values can have. */
  @SuppressWarnings("unchecked") // it was found by the class
  void link(String tag, Class<?> subclass, Codec<?> codec) {
    var branch = new Branch(tag, subclass, (Codec<Object>) codec);
    branches.add(branch);
    byTag.put(tag, branch);
    byClass.put(subclass, branch);
  }

  /** The sealed type, and its type arguments. */
  TypeShape type() {
    return type;
  }

  /** The tags, and what they were before. */
  List<Label.Wanted> members() {
    return branches.stream().map(SealedCodec::member).toList();
  }

  /** Tags are simple names mostly, {@link Was} has binary ones. */
  private static Label.Wanted member(Branch branch) {
    List<String> formerly = new ArrayList<>();
    for (String name : Label.formerly(branch.type)) {
      formerly.add(name);
      formerly.add(name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1));
    }
    return new Label.Wanted(branch.tag, formerly);
  }

  @Override
  String head() {
    return "sealed " + type;
  }

  @Override
  boolean declared() {
    return true;
  }

  @Override
  List<Codec<?>> parts() {
    return branches.stream().<Codec<?>>map(Branch::codec).toList();
  }

  @Override
  String label(int part) {
    return branches.get(part).tag + "=%";
  }

  @Override
  void encode(T value, CodecOutput out) {
    Branch branch = branch(value);
    out.writeUtf(branch.tag);
    branch.codec.write(value, out);
  }

  @Override
  @SuppressWarnings("unchecked") // a permitted subclass
  T decode(CodecInput in) {
    String tag = in.readUtf();
    Branch branch = byTag.get(tag);
    if (branch == null) {
      throw in.corrupt("found the tag '" + tag + "', which is none of " + byTag.keySet());
    }
    return (T) branch.codec.read(in);
  }

  private Branch branch(T value) {
    Branch exact = byClass.get(value.getClass());
    if (exact != null) {
      return exact;
    }
    for (Branch branch : branches) { // constants with bodies, and subclasses of open classes
      if (branch.type.isInstance(value)) {
        return branch;
      }
    }
    throw new ClassCastException(value.getClass() + " is not of type " + type);
  }
}
