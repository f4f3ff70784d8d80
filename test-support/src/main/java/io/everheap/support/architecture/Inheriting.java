package io.everheap.support.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds code of a library that creates threads without saying whether they inherit the context
 * class loader and the thread locals of the caller. A thread that inherits them and outlives the
 * caller's application keeps all classes of that. Programs, which have no public packages, need not
 * say it.
 */
final class Inheriting {
  private static final Set<String> BUILDERS = Set.of("ofPlatform", "ofVirtual");

  private Inheriting() {}

  static Set<String> classes(Architecture module) {
    Set<String> found = new TreeSet<>();
    if (module.packagesForUsers().isEmpty()) {
      return found;
    }
    for (JavaClass type : module.classes()) {
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        if (inherits(unit)) {
          found.add(unit.getFullName());
        }
      }
    }
    return found;
  }

  private static boolean inherits(JavaCodeUnit unit) {
    boolean builds = targets(unit).anyMatch(target -> isOf(target, Thread.class, BUILDERS));
    boolean refuses =
        targets(unit).anyMatch(target -> target.getName().equals("inheritInheritableThreadLocals"));
    return (builds && !refuses)
        || targets(unit)
            .anyMatch(
                target ->
                    isOf(target, Thread.class, Set.of("startVirtualThread"))
                        || isInheritingThread(target)
                        || isOf(
                            target,
                            java.util.concurrent.Executors.class,
                            Set.of("newVirtualThreadPerTaskExecutor", "newCachedThreadPool")));
  }

  private static Stream<CodeUnitAccessTarget> targets(JavaCodeUnit unit) {
    return Stream.concat(
        unit.getMethodCallsFromSelf().stream().map(call -> call.getTarget()),
        Stream.concat(
            unit.getConstructorCallsFromSelf().stream().map(call -> call.getTarget()),
            unit.getMethodReferencesFromSelf().stream().map(call -> call.getTarget())));
  }

  /** The constructor with five parameters is told whether the thread inherits. */
  private static boolean isInheritingThread(CodeUnitAccessTarget target) {
    return isOf(target, Thread.class, Set.of("<init>"))
        && target.getRawParameterTypes().size() != 5;
  }

  private static boolean isOf(CodeUnitAccessTarget target, Class<?> owner, Set<String> names) {
    return target.getOwner().isEquivalentTo(owner) && names.contains(target.getName());
  }
}
