package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records of a class of the program, read by their constructor and written by their accessors. */
public final class RecordCodec<R> extends RecordForm<R> implements DeclaredType {
  private static final long[] NO_WORDS = {};
  private static final Object[] NO_OBJECTS = {};

  private final Class<?> declaration;
  private final MethodHandle constructor;
  private final Part[] components;
  private final boolean hasWords;
  private final boolean hasObjects;

  /** One component; its width is in bytes for a primitive, 0 for a reference. */
  private static final class Part {
    final Label label;
    final int width;
    final boolean flag;
    final MethodHandle getter;

    @SuppressWarnings("NullAway.Init") // set by link, when the types it refers to are known
    Codec<Object> codec;

    Part(MethodHandles.Lookup lookup, RecordComponent component, int position)
        throws IllegalAccessException {
      Class<?> type = component.getType();
      label = new Label(component.getName(), DeclaredType.formerly(component), position + 1);
      width = RecordHandles.width(type);
      flag = type == boolean.class;
      getter = RecordHandles.getter(lookup, component);
    }
  }

  /**
   * Creates a codec whose {@linkplain #link parts} are still missing.
   *
   * @param type name of the class, with its type arguments
   * @param lookup that reaches the constructor and the accessors
   * @throws IllegalAccessException if it does not
   */
  public RecordCodec(Class<?> declaration, String type, MethodHandles.Lookup lookup)
      throws IllegalAccessException {
    super(type);
    this.declaration = declaration;
    RecordComponent[] declared = declaration.getRecordComponents();
    components = new Part[declared.length];
    boolean words = false;
    boolean objects = false;
    for (int i = 0; i < declared.length; i++) {
      components[i] = new Part(lookup, declared[i], i);
      words |= components[i].width > 0;
      objects |= components[i].width == 0;
    }
    hasWords = words;
    hasObjects = objects;
    constructor = RecordHandles.constructor(lookup, declaration);
  }

  @Override
  public Class<?> declaration() {
    return declaration;
  }

  @Override
  public List<Member> members() {
    return labels().stream()
        .map(label -> new Member(label.name(), label.formerly(), label.formerly()))
        .toList();
  }

  @Override
  public List<Component> components() {
    return Arrays.stream(components)
        .map(part -> new Component(part.label, part.width == 0, part.codec))
        .toList();
  }

  /** Sets the codec of a component. */
  @SuppressWarnings("unchecked") // it was found by the type of the component
  public void link(int component, Codec<?> codec) {
    components[component].codec = (Codec<Object>) codec;
  }

  @Override
  protected void encode(R value, CodecOutput out) {
    Objects.requireNonNull(value);
    try {
      for (Part component : components) {
        if (component.width == 0) {
          writeObject(component.codec, (Object) component.getter.invokeExact((Object) value), out);
        } else {
          writeWord(component.width, (long) component.getter.invokeExact((Object) value), out);
        }
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new UndeclaredThrowableException(e, "an accessor of " + type());
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
  protected R decode(CodecInput in) {
    long[] words = hasWords ? new long[components.length] : NO_WORDS;
    @Nullable Object[] objects = hasObjects ? new Object[components.length] : NO_OBJECTS;
    for (int i = 0; i < components.length; i++) {
      Part component = components[i];
      if (component.width == 0) {
        objects[i] = in.readBoolean() ? component.codec.read(in) : null;
      } else {
        words[i] = readWord(component, in);
      }
    }
    return create(words, objects);
  }

  private static long readWord(Part component, CodecInput in) {
    return switch (component.width) {
      case 1 -> component.flag ? (in.readBoolean() ? 1 : 0) : in.readByte();
      case 2 -> in.readShort();
      case 4 -> in.readInt();
      default -> in.readLong();
    };
  }

  /** Calls the constructor; component i is in place i of the array for its type. */
  @SuppressWarnings("unchecked") // the constructor of R
  public R create(long[] words, @Nullable Object[] objects) {
    try {
      return (R) (Object) constructor.invokeExact(words, objects);
    } catch (EverheapException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new CorruptValueException(
          "the constructor of " + type() + " refuses stored components", e);
    }
  }
}
