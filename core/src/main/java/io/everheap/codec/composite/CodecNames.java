package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import io.everheap.codec.check.NameCheck;
import io.everheap.codec.reference.ObjectCodec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Builds the name of a codec from those of its parts. The first mention of a declared type
 * describes it in full; later mentions, also those within itself, consist of its head only:
 *
 * <pre>
 *   record Node(int value, list&lt;record Node&gt;? children)
 * </pre>
 *
 * Equal layouts have equal names, however their codecs were made. An instance builds one name.
 */
public final class CodecNames {
  /** Head of the codecs whose parts are the versions of one type, each described by itself. */
  public static final String VERSIONS = "versions";

  private final StringBuilder text = new StringBuilder();
  private final Map<String, CompositeCodec<?>> described = new HashMap<>();

  private CodecNames() {}

  static String describe(CompositeCodec<?> codec) {
    var names = new CodecNames();
    names.append(codec);
    return names.text.toString();
  }

  /**
   * Checks that a codec has a name that tells it from others; the names of the parts are checked
   * when the name that contains them is built.
   *
   * @throws IllegalArgumentException if it has none
   */
  public static void require(Codec<?> codec) {
    if (codec instanceof ObjectCodec<?> object) {
      NameCheck.requireTypeName(object.type());
    } else if (!(codec instanceof EnumForm || codec instanceof CompositeCodec)) {
      NameCheck.require(codec);
    }
  }

  private void append(Codec<?> codec) {
    if (codec instanceof CompositeCodec<?> composite) {
      appendComposite(composite);
    } else {
      require(codec);
      text.append(codec.name());
    }
  }

  private void appendComposite(CompositeCodec<?> codec) {
    String head = codec.head();
    text.append(head);
    if (codec.declared()) {
      CompositeCodec<?> earlier = described.putIfAbsent(head, codec);
      if (earlier != null && same(earlier, codec, new HashSet<>())) {
        return;
      }
    }
    text.append(codec.declared() ? '(' : '<');
    List<Codec<?>> parts = codec.parts();
    for (int i = 0; i < parts.size(); i++) {
      String label = codec.label(i);
      int at = label.indexOf('%');
      text.append(i == 0 ? "" : codec.declared() ? ", " : ",").append(label, 0, at);
      if (head.equals(VERSIONS)) {
        described.clear(); // versions are described one by one
      }
      append(parts.get(i));
      text.append(label, at + 1, label.length());
    }
    text.append(codec.declared() ? ')' : '>');
  }

  private record Pair(Codec<?> one, Codec<?> other) {}

  /** Whether two codecs have the same layout, if the pairs in {@code assumed} have. */
  private static boolean same(Codec<?> one, Codec<?> other, Set<Pair> assumed) {
    if (one.equals(other) || !assumed.add(new Pair(one, other))) {
      return true;
    }
    if (!(one instanceof CompositeCodec<?> a) || !(other instanceof CompositeCodec<?> b)) {
      return one.name().equals(other.name());
    }
    List<Codec<?>> as = a.parts();
    List<Codec<?>> bs = b.parts();
    boolean same = a.head().equals(b.head()) && as.size() == bs.size();
    for (int i = 0; same && i < as.size(); i++) {
      same = a.label(i).equals(b.label(i)) && same(as.get(i), bs.get(i), assumed);
    }
    return same;
  }
}
