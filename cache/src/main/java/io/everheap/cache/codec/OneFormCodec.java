package io.everheap.cache.codec;

import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.contract.Containers;
import io.everheap.error.CorruptValueException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter.Status;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keys of any class, so that equal keys have the same bytes. The first byte tells the form:
 *
 * <pre>
 *   0        serialized
 *   1 .. 18  one of the most usual types, by its codec ({@link DynamicCodec})
 *   40       serialized, with the one form of each container in it ({@link StoredForm})
 *   41       a list:   its elements
 *   42       a set:    its elements, in the order of their bytes
 *   43       a map:    each key and its value, in the order of the keys' bytes
 *   44       an entry: its key and its value
 *   45       an internet address: 4 or 16 bytes, without its name
 *
 *   element  the length of its bytes, 0 for null; its bytes, which begin with a form
 * </pre>
 *
 * Lists, sets and maps begin with the number of elements, or of entries. Counts and lengths are of
 * variable length. Earlier builds serialized what has a form from 40 on, as 0. Thread-safe.
 */
final class OneFormCodec<K> implements ReformedCodec<K> {
  private static final int SERIALIZED = 0;
  private static final int REFORMED = 40;
  private static final int LIST = 41;
  private static final int SET = 42;
  private static final int MAP = 43;
  private static final int ENTRY = 44;
  private static final int ADDRESS = 45;

  /** The bytes of an entry; never compared as a whole. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Pair(byte[] key, byte[] value) {}

  private final Class<K> type;
  private final ClassLoader loader;
  private final SerialFilter filter;

  /** Classes of which a key was read back. */
  private final Set<Class<?>> proven = ConcurrentHashMap.newKeySet();

  OneFormCodec(Class<K> type, ClassLoader loader, SerialFilter filter) {
    this.type = type;
    this.loader = loader;
    this.filter = filter;
  }

  /** The filter of what is serialized. */
  SerialFilter filter() {
    return filter;
  }

  @Override
  public String name() {
    return DynamicCodec.name(type); // files of earlier builds have it
  }

  // --- writing ---

  @Override
  public void write(K key, CodecOutput out) {
    write(key, type, out);
  }

  private void write(Object part, Class<?> declared, CodecOutput out) {
    if (DynamicCodec.writeKnown(part, out)) {
      return;
    }
    if (part instanceof InetAddress address) {
      byte[] form = form(address);
      out.writeBytes(form, 0, form.length);
      return;
    }
    Containers.Kind kind = Containers.kind(part);
    if (kind != null && declared.isAssignableFrom(kind.read())) {
      byte[] form = form(part, kind);
      out.writeBytes(form, 0, form.length);
      return;
    }
    Object sorted = kind == null ? null : Containers.naturallySorted(part);
    if (declared.isInstance(sorted)) {
      serialize(sorted, out);
      return;
    }
    if (kind != null) {
      Containers.requireOneSerializedForm(part, kind);
    }
    serialize(part, out);
  }

  /** The one form of an address, which are not compared by their names. */
  static byte[] form(InetAddress address) {
    var out = new CodecOutput();
    byte[] bytes = address.getAddress();
    out.writeByte(ADDRESS);
    out.writeBytes(bytes, 0, bytes.length);
    return out.toByteArray();
  }

  /** The one form of a container. */
  byte[] form(Object container, Containers.Kind kind) {
    var out = new CodecOutput();
    switch (kind) {
      case LIST -> {
        out.writeByte(LIST);
        write(((List<?>) container).stream().map(this::element).toList(), out);
      }
      case SET -> {
        out.writeByte(SET);
        write(
            ((Set<?>) container)
                .stream().map(this::element).sorted(Arrays::compareUnsigned).toList(),
            out);
      }
      case MAP -> {
        out.writeByte(MAP);
        write((Map<?, ?>) container, out);
      }
      case ENTRY -> {
        out.writeByte(ENTRY);
        Map.Entry<?, ?> entry = (Map.Entry<?, ?>) container;
        writeElement(element(entry.getKey()), out);
        writeElement(element(entry.getValue()), out);
      }
    }
    return out.toByteArray();
  }

  private void write(Map<?, ?> map, CodecOutput out) {
    List<Pair> pairs = new ArrayList<>();
    map.forEach((key, value) -> pairs.add(new Pair(element(key), element(value))));
    pairs.sort(Comparator.comparing(Pair::key, Arrays::compareUnsigned));
    out.writeVarInt(pairs.size());
    for (Pair pair : pairs) {
      writeElement(pair.key, out);
      writeElement(pair.value, out);
    }
  }

  private static void write(Collection<byte[]> elements, CodecOutput out) {
    out.writeVarInt(elements.size());
    elements.forEach(element -> writeElement(element, out));
  }

  private static void writeElement(byte[] element, CodecOutput out) {
    out.writeVarInt(element.length);
    out.writeBytes(element, 0, element.length);
  }

  /** The bytes of an element: none for null. */
  private byte[] element(@Nullable Object element) {
    if (element == null) {
      return new byte[0];
    }
    var out = new CodecOutput();
    write(element, Object.class, out);
    return out.toByteArray();
  }

  private void serialize(Object part, CodecOutput out) {
    if (!(part instanceof Serializable) && !StoredRecord.applies(part)) {
      throw DynamicCodec.notSerializable(part);
    }
    var stream = new ByteArrayOutputStream();
    boolean reformed;
    try (var objects = new FormOutput(stream, this, true)) {
      objects.writeObject(part);
      objects.flush();
      reformed = objects.isReformed();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot serialize a " + part.getClass().getName(), e);
    }
    byte[] bytes = stream.toByteArray();
    if (reformed && !proven.contains(part.getClass())) {
      prove(part.getClass(), bytes);
    }
    out.writeByte(reformed ? REFORMED : SERIALIZED);
    out.writeBytes(bytes, 0, bytes.length);
  }

  /** A class may read a list of its own that the stored form is not. */
  private void prove(Class<?> of, byte[] bytes) {
    try {
      Object read = deserialize(bytes, filter.reading(bytes.length));
      if (read != null && of.isInstance(read)) {
        proven.add(of);
        return;
      }
    } catch (CorruptValueException e) {
      throw unreadable(of, e.getCause() == null ? e : e.getCause());
    }
    throw unreadable(of, null);
  }

  private static IllegalArgumentException unreadable(Class<?> of, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "a %s cannot be a key: it cannot be read with the lists, sets and maps that are stored"
                + " in place of its own; declare its fields as List, Set or Map, or give the cache"
                + " a codec for it",
            of.getName()),
        cause);
  }

  // --- reading ---

  @Override
  public K read(CodecInput in) {
    Object key = readPart(in, filter.reading(in.remaining()));
    if (!type.isInstance(key)) {
      throw new CorruptValueException("found a key that is no " + type.getName());
    }
    return type.cast(key);
  }

  /** Reads a key or a part of one, and bounds how deeply they are nested. */
  private @Nullable Object readPart(CodecInput in, SerialFilter.Reading reading) {
    if (!reading.enter()) {
      throw in.corrupt("found a key that is nested too deeply");
    }
    Object part = readForm(in, reading);
    reading.leave();
    return part;
  }

  private @Nullable Object readForm(CodecInput in, SerialFilter.Reading reading) {
    int form = in.readByte();
    return switch (form) {
      case SERIALIZED, REFORMED -> readSerialized(in, reading);
      case LIST -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (int count = count(in); count > 0; count--) {
          list.add(readElement(in, reading));
        }
        yield list;
      }
      case SET -> {
        Set<@Nullable Object> set = new LinkedHashSet<>();
        for (int count = count(in); count > 0; count--) {
          set.add(readElement(in, reading));
        }
        yield set;
      }
      case MAP -> {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int count = count(in); count > 0; count--) {
          Object key = readElement(in, reading);
          map.put(key, readElement(in, reading));
        }
        yield map;
      }
      case ENTRY -> {
        Object key = readElement(in, reading);
        yield new AbstractMap.SimpleImmutableEntry<@Nullable Object, @Nullable Object>(
            key, readElement(in, reading));
      }
      case ADDRESS -> {
        try {
          yield InetAddress.getByAddress(in.readBytes(in.remaining()));
        } catch (UnknownHostException e) {
          throw in.corrupt("found an address of another length");
        }
      }
      default -> DynamicCodec.readKnown(form, in);
    };
  }

  /** A number of elements, each of which takes a byte at least. */
  private static int count(CodecInput in) {
    int count = in.readVarInt();
    if (count < 0 || count > in.remaining()) {
      throw in.corrupt("found " + count + " elements");
    }
    return count;
  }

  private @Nullable Object readElement(CodecInput in, SerialFilter.Reading reading) {
    int length = count(in);
    if (length == 0) {
      return null;
    }
    var element = new CodecInput(in.readBytes(length));
    Object read = readPart(element, reading);
    element.expectEnd();
    return read;
  }

  private @Nullable Object readSerialized(CodecInput in, SerialFilter.Reading reading) {
    return deserialize(in.readBytes(in.remaining()), reading);
  }

  /** Reads an object whose containers are in their stored form. */
  private @Nullable Object deserialize(byte[] bytes, SerialFilter.Reading reading) {
    return LoaderInput.read(type, () -> new FormInput(new ByteArrayInputStream(bytes), reading));
  }

  /** Reads what this program has just written, of whatever classes. */
  @Nullable Object copy(byte[] bytes) {
    return deserialize(bytes, new SerialFilter(type, _ -> Status.ALLOWED).reading(bytes.length));
  }

  /** Reads containers of their stored forms. */
  private final class FormInput extends LoaderInput {
    private final SerialFilter.Reading reading;

    FormInput(InputStream in, SerialFilter.Reading reading) throws IOException {
      super(in, loader, reading);
      this.reading = reading;
    }

    @Override
    protected @Nullable Object resolveObject(@Nullable Object part) throws IOException {
      if (!(part instanceof StoredForm stored)) {
        return super.resolveObject(part);
      }
      var in = new CodecInput(stored.form);
      Object read = readPart(in, reading);
      in.expectEnd();
      return read;
    }
  }

  // --- what it is ---

  @Override
  public boolean isReformed(byte[] key) {
    return key.length > 0 && key[0] >= REFORMED;
  }

  @Override
  public boolean mayBeFormer(byte[] stored) {
    return stored.length > 0 && stored[0] == SERIALIZED;
  }

  /** Keys are the same if their bytes are. */
  @Override
  public boolean canonical() {
    return true;
  }

  @Override
  public String toString() {
    return name();
  }
}
