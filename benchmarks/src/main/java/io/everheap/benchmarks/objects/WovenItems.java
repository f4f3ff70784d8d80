package io.everheap.benchmarks.objects;

import io.everheap.weaver.ClassSource;
import io.everheap.weaver.Weaver;
import org.jspecify.annotations.Nullable;

/** Loads {@link WovenItem} as the weaver makes it, and all else as it is. */
final class WovenItems extends ClassLoader {
  private static final String NAME = WovenItem.class.getName();

  private WovenItems(ClassLoader parent) {
    super(parent);
  }

  /** The woven class. */
  static Class<? extends Item> load() {
    try {
      ClassLoader loader = new WovenItems(Item.class.getClassLoader());
      return loader.loadClass(NAME).asSubclass(Item.class);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.equals(NAME)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    ClassSource source = ClassSource.of(getParent());
    byte @Nullable [] plain = source.find(name.replace('.', '/'));
    byte @Nullable [] woven = plain == null ? null : new Weaver(source).weave(plain);
    if (woven == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, woven, 0, woven.length);
  }
}
