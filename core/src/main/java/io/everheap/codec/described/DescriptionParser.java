package io.everheap.codec.described;

import io.everheap.codec.Codec;
import io.everheap.codec.ObjectReference;
import io.everheap.codec.check.BuiltIns;
import io.everheap.codec.composite.ArrayCodec;
import io.everheap.codec.composite.CodecNames;
import io.everheap.codec.composite.CollectionCodec;
import io.everheap.codec.composite.CompositeCodec;
import io.everheap.codec.composite.EnumForm;
import io.everheap.codec.composite.Label;
import io.everheap.codec.composite.MapCodec;
import io.everheap.codec.composite.NullableCodec;
import io.everheap.codec.composite.OptionalCodec;
import io.everheap.codec.reference.ObjectCodec;
import io.everheap.error.UnsupportedTypeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the names of codecs, which {@link CodecNames} and {@link EnumForm} build.
 *
 * <pre>
 *   codec     = "record " type [ "(" [ component { ", " component } ] ")" ]
 *             | "sealed " type [ "(" [ tag "=" codec { ", " tag "=" codec } ] ")" ]
 *             | "enum " type "(" [ constant { "," constant } ] ")"
 *             | ( "list" | "set" | "optional" | "nullable" | "array" ) "&lt;" codec "&gt;"
 *             | "map&lt;" codec "," codec "&gt;"
 *             | "versions&lt;" codec { "," codec } "&gt;"
 *             | "object " type
 *             | the name of a built-in codec
 *   component = codec [ "?" ] " " name
 * </pre>
 *
 * A record or sealed type without parentheses is one that was described before, or that is being
 * described. Names are read from heaps and are untrusted. An instance reads one name, in one
 * thread.
 */
public final class DescriptionParser {
  private static final int MAX_DEPTH = 500;

  /** No class has more components, constants or permitted classes: JVMS 4.3.3 and 4.11. */
  private static final int MAX_COMPONENTS = 255;

  private static final int MAX_MEMBERS = 0xFFFF;
  private static final String STOPS = "<>(),?= ";

  private final String text;
  private final LongUnaryOperator moved;
  private final boolean keepVersions;
  private final Map<String, Codec<?>> others;
  private final Map<String, CompositeCodec<?>> declared = new HashMap<>();
  private int position;
  private int depth;

  /**
   * The codec of references to objects of which only the name of the type is known.
   *
   * @param moved what references become when they are read
   */
  private record ObjectForm(String type, LongUnaryOperator moved) implements ObjectCodec<Object> {
    @Override
    public long toWord(Object value) {
      return ((ObjectReference) value).reference();
    }

    @Override
    public Object fromWord(long word) {
      return new ObjectReference(type, moved.applyAsLong(word));
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Reads one name.
   *
   * @param moved what references to objects become when they are read
   * @param keepVersions whether values keep the version that wrote them
   * @param others codecs that are not built in, by their names
   */
  public DescriptionParser(
      String text, LongUnaryOperator moved, boolean keepVersions, Map<String, Codec<?>> others) {
    this.text = text;
    this.moved = moved;
    this.keepVersions = keepVersions;
    this.others = others;
  }

  /**
   * Returns the codec that the name describes.
   *
   * @throws UnsupportedTypeException if it describes none
   */
  public Codec<Object> parse() {
    Codec<Object> codec = codec();
    if (position != text.length()) {
      throw unknown("nothing may follow", position);
    }
    return codec;
  }

  private Codec<Object> codec() {
    if (++depth > MAX_DEPTH) {
      throw unknown("it is nested too deeply", position);
    }
    int start = position;
    String word = word();
    Codec<?> codec =
        switch (word) {
          case "record" -> record();
          case "sealed" -> sealed();
          case "enum" -> enumeration();
          case "object" -> new ObjectForm(after(' ', this::word), moved);
          case "list" -> generic(CollectionCodec.list(argument('<')));
          case "set" -> generic(CollectionCodec.set(argument('<')));
          case "optional" -> generic(new OptionalCodec<>(argument('<')));
          case "nullable" -> generic(new NullableCodec<>(argument('<')));
          case "array" -> generic(new ArrayCodec<>(Object.class, argument('<')));
          case "map" -> generic(new MapCodec<>(argument('<'), argument(',')));
          case CodecNames.VERSIONS -> generic(versions());
          default -> named(word, start);
        };
    depth--;
    return erased(codec);
  }

  private <T> T after(char before, Supplier<T> part) {
    expect(before);
    return part.get();
  }

  private Codec<Object> argument(char before) {
    return after(before, this::codec);
  }

  private Codec<?> generic(Codec<?> codec) {
    expect('>');
    return codec;
  }

  private Codec<?> named(String name, int start) {
    Codec<?> builtIn = BuiltIns.of(name);
    Codec<?> codec = builtIn != null ? builtIn : others.get(name);
    if (codec == null) {
      throw unknown("only the program that wrote it knows '" + name + "'", start);
    }
    return codec;
  }

  private Codec<?> versions() {
    List<Codec<Object>> versions = new ArrayList<>(List.of(argument('<')));
    while (next(',')) {
      declared.clear(); // each version describes all that it has
      versions.add(codec());
    }
    return new DescribedVersions(versions, keepVersions);
  }

  private Codec<?> record() {
    var codec = new DescribedRecord(after(' ', this::type));
    return members(
        codec,
        MAX_COMPONENTS,
        at -> {
          Codec<Object> component = codec();
          boolean nullable = next('?');
          expect(' ');
          codec.add(label(at), nullable, component);
        });
  }

  private Codec<?> sealed() {
    var codec = new DescribedSealed(after(' ', this::type));
    return members(codec, MAX_MEMBERS, at -> codec.add(label(at), argument('=')));
  }

  /** Reads the members of a type, or finds the type that is only mentioned. */
  private Codec<?> members(CompositeCodec<?> codec, int most, IntConsumer member) {
    if (!next('(')) {
      CompositeCodec<?> mentioned = declared.get(codec.head());
      if (mentioned == null) {
        throw unknown("'" + codec.head() + "' is mentioned but not described", position);
      }
      return mentioned;
    }
    declared.putIfAbsent(codec.head(), codec);
    for (int at = 0; !next(')'); at++) {
      if (at > 0) {
        expect(',');
        expect(' ');
      }
      requireAtMost(most, at + 1);
      member.accept(at);
    }
    return codec;
  }

  private Codec<?> enumeration() {
    String type = after(' ', this::type);
    expect('(');
    List<Label> constants = new ArrayList<>();
    while (!next(')')) {
      if (!constants.isEmpty()) {
        expect(',');
      }
      requireAtMost(MAX_MEMBERS, constants.size() + 1);
      constants.add(label(constants.size()));
    }
    return new DescribedEnum(type, constants);
  }

  private void requireAtMost(int most, int count) {
    if (count > most) {
      throw unknown("no class has more than " + most + " of these", position);
    }
  }

  /** The name of a class with its type arguments, as far as the angle brackets balance. */
  private String type() {
    int start = position;
    int open = 0;
    for (; position < text.length(); position++) {
      char c = text.charAt(position);
      if (c == '<') {
        open++;
      } else if (c == '>' && open > 0) {
        open--;
      } else if (STOPS.indexOf(c) >= 0 && !(c == ',' && open > 0)) {
        break;
      }
    }
    return text.substring(start, position);
  }

  /** The name of a member at a position, with its id. */
  private Label label(int at) {
    int start = position;
    Label label = Label.parse(word(), at);
    if (label == null) {
      throw unknown("the id of a name is malformed", start);
    }
    return label;
  }

  private String word() {
    int start = position;
    while (position < text.length() && STOPS.indexOf(text.charAt(position)) < 0) {
      position++;
    }
    if (position == start) {
      throw unknown("a name is missing", start);
    }
    return text.substring(start, position);
  }

  private boolean next(char wanted) {
    boolean found = position < text.length() && text.charAt(position) == wanted;
    if (found) {
      position++;
    }
    return found;
  }

  private void expect(char wanted) {
    if (!next(wanted)) {
      throw unknown("'" + wanted + "' is missing", position);
    }
  }

  private UnsupportedTypeException unknown(String why, int at) {
    return new UnsupportedTypeException(
        text, "character " + at, "it cannot be read without its classes: " + why, null);
  }

  /** The codecs of a description fit each other, and their values are used as objects only. */
  @SuppressWarnings("unchecked")
  private static Codec<Object> erased(Codec<? extends @Nullable Object> codec) {
    return (Codec<Object>) codec;
  }
}
