package io.everheap.support.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The signatures that users meet: those of the classes that they can name, and of their public and
 * protected members.
 *
 * <p>Members inherited from hidden superclasses are included, since users can call them through the
 * class. Permitted subclasses may be hidden.
 */
final class Signatures {
  private Signatures() {}

  /** The signatures that name a type that users cannot name, each with that type. */
  static Set<String> leaks(Architecture module) {
    var users = new Users(module);
    Set<String> leaks = new TreeSet<>();
    for (JavaClass type : module.classes()) {
      if (users.canName(type)) {
        for (Signature signature : signatures(type)) {
          signature
              .types()
              .flatMap(used -> used.getAllInvolvedRawTypes().stream())
              .map(JavaClass::getBaseComponentType)
              .filter(used -> !users.canName(used))
              .forEach(used -> leaks.add(signature.name() + " names " + used.getName()));
        }
      }
    }
    return leaks;
  }

  /** The types that something is declared with. */
  private record Signature(String name, Stream<JavaType> types) {}

  private static List<Signature> signatures(JavaClass type) {
    List<Signature> signatures = new ArrayList<>();
    signatures.add(
        new Signature(
            type.getName(),
            Stream.of(
                    type.getSuperclass().stream(),
                    type.getInterfaces().stream(),
                    bounds(type.getTypeParameters()))
                .flatMap(types -> types)));
    for (JavaMember member : type.getAllMembers()) {
      boolean inherited = !member.getOwner().equals(type);
      if (Users.isForUsers(member.getModifiers())
          && !(inherited && member instanceof JavaConstructor)
          && !member.getName().startsWith("everheap$") // called by woven classes only
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
