package io.everheap.weaver;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Weaves the classes that a program loads: {@code java -javaagent:everheap-weaver.jar ...}. A class
 * that cannot be woven fails to load; the reason is on standard error, and the class is refused by
 * the library.
 *
 * @since 0.9
 */
public final class Agent implements ClassFileTransformer {
  private final Map<ClassLoader, Weaver> weavers = new WeakHashMap<>();

  private Agent() {}

  /** Called by the virtual machine before the program's main method. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    instrumentation.addTransformer(new Agent());
  }

  @Override
  @SuppressWarnings("SystemOut") // the virtual machine ignores exceptions of a transformer
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (loader == null
        || loader.equals(ClassLoader.getPlatformClassLoader())
        || name == null
        || name.startsWith("io/everheap/weaver/")) {
      return null;
    }
    try {
      return weaver(loader).weave(classFile);
    } catch (WeavingException e) {
      System.err.println("everheap-weaver: " + e.getMessage());
      return null;
    } catch (RuntimeException | Error e) {
      System.err.println("everheap-weaver: cannot weave " + name + ": " + e);
      return null;
    }
  }

  private Weaver weaver(ClassLoader loader) {
    synchronized (weavers) {
      return weavers.computeIfAbsent(loader, of -> new Weaver(ClassSource.of(of)));
    }
  }
}
