package io.everheap.journal;

import io.everheap.memory.Medium;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A medium of which a test changes some operations. */
final class ChangedMedium {
  /** Does something before an operation, or throws. */
  interface Before {
    void run(String operation, Object... arguments) throws Throwable;
  }

  private ChangedMedium() {}

  static Medium of(Medium medium, Before before) {
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

  /** Does something before a new segment is made from nothing. */
  static Medium beforeSegments(Medium medium, Runnable action) {
    return of(
        medium,
        (operation, arguments) -> {
          if (operation.equals("create") && arguments[0].equals(JournalLayout.TEMPORARY)) {
            action.run();
          }
        });
  }
}
