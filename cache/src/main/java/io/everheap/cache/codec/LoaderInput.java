package io.everheap.cache.codec;

import io.everheap.error.CorruptValueException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Finds the classes of serialized objects by the loader of a manager, if they are allowed.
 *
 * <p>{@link #read} also catches {@link InternalError}: the JDK throws it for an immutable map with
 * an odd number of parts. The bytes are in an array, so it is no fault of a mapped file.
 */
class LoaderInput extends ObjectInputStream {
  private final ClassLoader loader;

  /** Opens the stream of an object. */
  @FunctionalInterface
  interface Source {
    LoaderInput open() throws IOException;
  }

  LoaderInput(InputStream in, ClassLoader loader, SerialFilter.Reading filter) throws IOException {
    super(in);
    this.loader = loader;
    setObjectInputFilter(filter.andThatOfTheJvm());
    enableResolveObject(true);
  }

  /**
   * Reads an object.
   *
   * @param type of the object, for messages
   * @throws CorruptValueException if it cannot be read
   */
  @SuppressWarnings("BanSerializableRead") // with a filter of classes
  static @Nullable Object read(Class<?> type, Source source) {
    try (LoaderInput stream = source.open()) {
      return stream.readObject();
    } catch (IOException
        | ClassNotFoundException
        | LinkageError
        | InternalError
        | RuntimeException e) {
      throw new CorruptValueException(
          "cannot deserialize a " + type.getName() + ": " + CodecFailures.reason(e), e);
    }
  }

  @Override
  protected @Nullable Object resolveObject(@Nullable Object part) throws IOException {
    return part instanceof StoredRecord stored ? stored.resolve() : part;
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass description)
      throws IOException, ClassNotFoundException {
    try {
      return Class.forName(description.getName(), false, loader);
    } catch (ClassNotFoundException e) {
      return super.resolveClass(description); // primitive types
    }
  }

  @Override
  @SuppressWarnings(
      "deprecation") // the only way to make the class of a proxy, which the stream wants
  protected Class<?> resolveProxyClass(String[] names) throws ClassNotFoundException {
    Class<?>[] interfaces = new Class<?>[names.length];
    for (int i = 0; i < names.length; i++) {
      interfaces[i] = Class.forName(names[i], false, loader);
    }
    return Proxy.getProxyClass(loader, interfaces);
  }
}
