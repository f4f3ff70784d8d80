package io.everheap.memory;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A medium of which a test changes some operations. */
public final class ChangedMedium {
  /** Does something before an operation, or throws. */
  public interface Before {
    void run(String operation, Object... arguments) throws Throwable;
  }

  private ChangedMedium() {}

  /** Returns a medium that does something before each operation of another one. */
  public static Medium of(Medium medium, Before before) {
    return (Medium)
        Proxy.newProxyInstance(
            Medium.class.getClassLoader(),
            new Class<?>[] {Medium.class},
            (self, method, arguments) -> {
              before.run(method.getName(), arguments == null ? new Object[0] : arguments);
              try {
                return method.invoke(medium, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
