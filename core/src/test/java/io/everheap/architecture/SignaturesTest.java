package io.everheap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.everheap.error.EverheapException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Users can name every type that they meet: what is exported to all is made of what is. */
@AnalyzeClasses(packages = "io.everheap", importOptions = DoNotIncludeTests.class)
class SignaturesTest {
  @ArchTest
  static void noExportedSignatureNamesATypeThatIsNotExported(JavaClasses library)
      throws URISyntaxException {
    Set<String> exported = exportedToAll();
    Set<String> leaks = new TreeSet<>();
    for (JavaClass type : library) {
      if (isVisible(type, exported)) {
        for (Signature signature : signatures(type)) {
          signature
              .types()
              .flatMap(used -> used.getAllInvolvedRawTypes().stream())
              .map(JavaClass::getBaseComponentType)
              .filter(used -> used.getName().startsWith("io.everheap."))
              .filter(used -> !isVisible(used, exported))
              .forEach(used -> leaks.add(signature.name() + " names " + used.getName()));
        }
      }
    }
    assertThat(leaks).isEmpty();
  }

  private static Set<String> exportedToAll() throws URISyntaxException {
    var classes =
        Path.of(
            EverheapException.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return ModuleFinder.of(classes)
        .find("io.everheap")
        .orElseThrow()
        .descriptor()
        .exports()
        .stream()
        .filter(exports -> !exports.isQualified())
        .map(Exports::source)
        .collect(Collectors.toSet());
  }

  /** Whether users can name a class: it and those that it is in are public or protected. */
  private static boolean isVisible(JavaClass type, Set<String> exported) {
    return exported.contains(type.getPackageName())
        && isForUsers(type.getModifiers())
        && type.getEnclosingClass().map(outer -> isVisible(outer, exported)).orElse(true);
  }

  private static boolean isForUsers(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  /** The types that something is declared with. */
  private record Signature(String name, Stream<JavaType> types) {}

  /**
   * Of a class and its members, those included that it inherits from hidden superclasses: users can
   * call them through it. The superclasses themselves may be hidden, and the classes that it
   * permits.
   */
  private static List<Signature> signatures(JavaClass type) {
    List<Signature> signatures = new ArrayList<>();
    signatures.add(
        new Signature(
            type.getName(),
            Stream.concat(type.getInterfaces().stream(), bounds(type.getTypeParameters()))));
    for (JavaMember member : type.getAllMembers()) {
      boolean inherited = !member.getOwner().equals(type);
      if (isForUsers(member.getModifiers())
          && !(inherited && member instanceof JavaConstructor)
          && !member.getName().startsWith("everheap$") // what woven classes have and call
          && !member.getModifiers().contains(JavaModifier.SYNTHETIC)) {
        signatures.add(new Signature(member.getFullName(), types(member)));
      }
    }
    return signatures;
  }

  private static Stream<JavaType> types(JavaMember member) {
    return switch (member) {
      case JavaField field -> Stream.of(field.getType());
      case JavaCodeUnit unit ->
          Stream.of(
                  Stream.of(unit.getReturnType()),
                  unit.getParameterTypes().stream(),
                  unit.getExceptionTypes().stream(),
                  bounds(unit.getTypeParameters()))
              .flatMap(types -> types);
      default -> Stream.of();
    };
  }

  private static Stream<JavaType> bounds(List<? extends JavaTypeVariable<?>> variables) {
    return variables.stream().flatMap(variable -> variable.getUpperBounds().stream());
  }
}
