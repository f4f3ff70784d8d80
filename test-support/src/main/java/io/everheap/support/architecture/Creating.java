package io.everheap.support.architecture;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The classes that create files or directories other than through the one class that knows which
 * permissions these get.
 */
final class Creating {
  private static final String ONE_PLACE = "io.everheap.memory.NewFiles";

  private static final Map<String, Set<String>> METHODS =
      Map.of(
          "java.nio.file.Files",
          Set.of(
              "createFile",
              "createDirectory",
              "createDirectories",
              "createTempFile",
              "createTempDirectory",
              "createLink",
              "createSymbolicLink",
              "write",
              "writeString",
              "newOutputStream",
              "newBufferedWriter",
              "copy"),
          "java.io.File",
          Set.of("createNewFile", "createTempFile", "mkdir", "mkdirs"));

  private static final Set<String> CONSTRUCTORS =
      Set.of(
          "java.io.RandomAccessFile",
          "java.io.FileOutputStream",
          "java.io.FileWriter",
          "java.util.logging.FileHandler");

  private static final Set<String> OPTIONS = Set.of("CREATE", "CREATE_NEW");

  private Creating() {}

  /** Simple names of the top-level classes. */
  static Set<String> classes(Architecture module) {
    Set<String> found = new TreeSet<>();
    if (!module.isPublished()) {
      return found;
    }
    for (JavaClass type : module.classes()) {
      if (!type.getName().equals(ONE_PLACE)
          && type.getAccessesFromSelf().stream().anyMatch(Creating::creates)) {
        found.add(Graph.simpleName(Graph.outermost(type)));
      }
    }
    return found;
  }

  private static boolean creates(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    return switch (access) {
      case JavaMethodCall call ->
          METHODS.getOrDefault(owner, Set.of()).contains(call.getTarget().getName());
      case JavaConstructorCall call ->
          CONSTRUCTORS.contains(owner)
              && call.getTarget().getRawParameterTypes().stream()
                  .noneMatch(type -> type.getName().equals("java.io.FileDescriptor"));
      default ->
          owner.equals("java.nio.file.StandardOpenOption")
              && OPTIONS.contains(access.getTarget().getName());
    };
  }
}
