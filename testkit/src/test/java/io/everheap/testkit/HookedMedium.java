package io.everheap.testkit;

import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.testkit.machine.SimulatedMedium;
import io.everheap.testkit.machine.SimulatedRegion;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A medium whose calls a test sees before and after if they concern a file or change a directory,
 * and the loads and stores of a home image before. The hook is called outside of the simulation's
 * lock, so other threads can use the medium while it runs.
 */
public final class HookedMedium {
  private static final Set<String> OPENING = Set.of("open", "openLog", "create");
  private static final Set<String> CHANGES = Set.of("create", "rename", "delete", "syncDirectory");

  /** Sees the calls. */
  public interface Hook {
    /**
     * Called before the call.
     *
     * @param call the method's name; {@code load} or {@code store} for an access of the home image
     * @param file the file's name
     */
    default void before(String call, String file) {}

    /**
     * Called after the call.
     *
     * @param call the method's name
     * @param file the file's name
     * @param position the file offset that the call was given; 0 if it was given none
     */
    default void after(String call, String file, long position) {}
  }

  private HookedMedium() {}

  /** The same medium, seen by a hook. */
  public static Medium of(SimulatedMedium medium, Hook hook) {
    return (Medium)
        Proxy.newProxyInstance(
            Medium.class.getClassLoader(),
            new Class<?>[] {Medium.class},
            (proxy, method, arguments) -> {
              boolean seen = CHANGES.contains(method.getName());
              String name = seen ? (String) arguments[0] : "";
              if (seen) {
                hook.before(method.getName(), name);
              }
              Object result = call(medium, method, arguments);
              if (seen) {
                hook.after(method.getName(), name, 0);
              }
              return OPENING.contains(method.getName()) ? file((MediumFile) result, hook) : result;
            });
  }

  private static MediumFile file(MediumFile file, Hook hook) {
    return (MediumFile)
        Proxy.newProxyInstance(
            MediumFile.class.getClassLoader(),
            new Class<?>[] {MediumFile.class},
            (proxy, method, arguments) -> {
              hook.before(method.getName(), file.name());
              Object result = call(file, method, arguments);
              boolean placed = method.getName().startsWith("write");
              hook.after(method.getName(), file.name(), placed ? (Long) arguments[1] : 0);
              return result instanceof SimulatedRegion region && file.name().equals("heap")
                  ? new HookedRegion(region, file.name(), hook)
                  : result;
            });
  }

  /** Calls a method; throws what it throws. */
  static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
