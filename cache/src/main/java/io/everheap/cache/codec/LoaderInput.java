package io.everheap.cache.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Finds the classes of serialized objects by the loader of a manager, if they are allowed. */
class LoaderInput extends ObjectInputStream {
  private final ClassLoader loader;

  LoaderInput(InputStream in, ClassLoader loader, SerialFilter.Reading filter) throws IOException {
    super(in);
    this.loader = loader;
    setObjectInputFilter(filter.andThatOfTheJvm());
    enableResolveObject(true);
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
