package io.everheap.codec;

import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Records: their components in order, primitive ones in their own width, each other one as a byte 0
 * for {@code null}, or a byte 1 and the component.
 */
final class RecordCodec<R> extends StructuredCodec<R> {
  private static final long[] NO_WORDS = {};
  private static final Object[] NO_OBJECTS = {};

  private final TypeShape type;
  private final MethodHandle constructor;
  private final Component[] components;
  private final boolean hasWords;
  private final boolean hasObjects;

  /** One component; its width is in bytes for a primitive, 0 for a reference. */
  private static final class Component {
    final Label label;
    final int width;
    final boolean flag;
    final MethodHandle getter;

    @SuppressWarnings("NullAway.Init") // set by link, when the types it refers to are known
    Codec<Object> codec;

    Component(MethodHandles.Lookup lookup, RecordComponent component, int position)
        throws IllegalAccessException {
      Class<?> type = component.getType();
      label = new Label(component.getName(), Label.formerly(component), position + 1);
      width = width(type);
      flag = type == boolean.class;
      getter = RecordHandles.getter(lookup, component);
    }

    private static int width(Class<?> type) {
      if (type == long.class || type == double.class) {
        return 8;
      }
      if (type == int.class || type == float.class) {
        return 4;
      }
      if (type == short.class || type == char.class) {
        return 2;
      }
      return type.isPrimitive() ? 1 : 0;
    }
  }

  /** Creates a codec whose {@linkplain #link parts} are still missing. */
  RecordCodec(TypeShape type, MethodHandles.Lookup lookup) throws IllegalAccessException {
    this.type = type;
    RecordComponent[] declared = type.raw().getRecordComponents();
    components = new Component[declared.length];
    boolean words = false;
    boolean objects = false;
    for (int i = 0; i < declared.length; i++) {
      components[i] = new Component(lookup, declared[i], i);
      words |= components[i].width > 0;
      objects |= components[i].width == 0;
    }
    hasWords = words;
    hasObjects = objects;
    constructor = RecordHandles.constructor(lookup, type.raw());
  }

  /** The class, and its type arguments. */
  TypeShape type() {
    return type;
  }

  /** Number of components. */
  int size() {
    return components.length;
  }

  boolean isPrimitive(int component) {
    return components[component].width > 0;
  }

  /** What the components are called, and were before. */
  List<Label.Wanted> members() {
    List<Label.Wanted> members = new ArrayList<>();
    for (RecordComponent component : type.raw().getRecordComponents()) {
      List<String> formerly = Label.formerly(component);
      members.add(new Label.Wanted(component.getName(), formerly, formerly));
    }
    return members;
  }

  /** Sets the codec of a component. */
  @SuppressWarnings("unchecked") // it was found by the type of the component
  void link(int component, Codec<?> codec) {
    components[component].codec = (Codec<Object>) codec;
  }

  @Override
  String head() {
    return "record " + type;
  }

  @Override
  boolean declared() {
    return true;
  }

  @Override
  List<Codec<?>> parts() {
    List<Codec<?>> parts = new ArrayList<>();
    for (Component component : components) {
      parts.add(component.codec);
    }
    return parts;
  }

  @Override
  String label(int part) {
    return (components[part].width == 0 ? "%? " : "% ") + components[part].label.text(part);
  }

  @Override
  void encode(R value, CodecOutput out) {
    Objects.requireNonNull(value);
    try {
      for (Component component : components) {
        if (component.width == 0) {
          writeObject(component.codec, (Object) component.getter.invokeExact((Object) value), out);
        } else {
          writeWord(component.width, (long) component.getter.invokeExact((Object) value), out);
        }
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new UndeclaredThrowableException(e, "an accessor of " + type);
    }
  }

  private static void writeObject(Codec<Object> codec, @Nullable Object value, CodecOutput out) {
    out.writeBoolean(value != null);
    if (value != null) {
      codec.write(value, out);
    }
  }

  private static void writeWord(int width, long word, CodecOutput out) {
    switch (width) {
      case 1 -> out.writeByte((int) word);
      case 2 -> out.writeShort((int) word);
      case 4 -> out.writeInt((int) word);
      default -> out.writeLong(word);
    }
  }

  @Override
  R decode(CodecInput in) {
    long[] words = hasWords ? new long[components.length] : NO_WORDS;
    @Nullable Object[] objects = hasObjects ? new Object[components.length] : NO_OBJECTS;
    for (int i = 0; i < components.length; i++) {
      Component component = components[i];
      if (component.width == 0) {
        objects[i] = in.readBoolean() ? component.codec.read(in) : null;
      } else {
        words[i] = readWord(component, in);
      }
    }
    return create(words, objects);
  }

  private static long readWord(Component component, CodecInput in) {
    return switch (component.width) {
      case 1 -> component.flag ? (in.readBoolean() ? 1 : 0) : in.readByte();
      case 2 -> in.readShort();
      case 4 -> in.readInt();
      default -> in.readLong();
    };
  }

  @SuppressWarnings("unchecked") // the constructor of R
  R create(long[] words, @Nullable Object[] objects) {
    try {
      return (R) (Object) constructor.invokeExact(words, objects);
    } catch (EverheapException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new CorruptValueException(
          "the constructor of " + type + " refuses stored components", e);
    }
  }
}
