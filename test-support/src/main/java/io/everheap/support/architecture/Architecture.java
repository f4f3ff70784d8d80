package io.everheap.support.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.resolvers.SelectedClassResolverFromClasspath;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The main classes of one module, and the form that they should have: layers, public packages, and
 * the known exceptions from the rules.
 *
 * <p>The lists of exceptions may only shrink: a violation that is not listed fails a test, and so
 * does an entry that is no longer violated exactly as listed. Classes in cycles are given by their
 * simple names, which are unique in a module.
 */
public final class Architecture {
  private JavaClasses classes;
  private Optional<Set<String>> exported;
  private List<String> layers = List.of();
  private final Set<Set<String>> packageCycles = new HashSet<>();
  private final Set<Set<String>> classCycles = new HashSet<>();
  private final Set<String> leaks = new HashSet<>();
  private final Set<Set<String>> homonyms = new HashSet<>();
  private final Set<String> creators = new HashSet<>();
  private boolean published = true;
  private boolean library = true;

  Architecture(JavaClasses classes, Optional<Set<String>> exported) {
    this.classes = classes;
    this.exported = exported;
  }

  /**
   * Imports the main classes of a module: the classes in the directory from which one of them was
   * loaded. If that directory has a module descriptor, its unqualified exports are the module's
   * public packages.
   *
   * @param type any main class of the module
   * @return the architecture, without layers and exceptions
   */
  public static Architecture of(Class<?> type) {
    URL directory = Users.location(type);
    return new Architecture(
        imported(importer -> importer.importUrl(directory)), Users.exportsOf(directory));
  }

  /** Reads only the classes of this project that they use: reading the JDK's takes seconds. */
  static JavaClasses imported(Function<ClassFileImporter, JavaClasses> read) {
    return ArchConfiguration.withThreadLocalScope(
        configuration -> {
          configuration.setClassResolver(SelectedClassResolverFromClasspath.class);
          configuration.setClassResolverArguments("io.everheap");
          return read.apply(new ClassFileImporter());
        });
  }

  /**
   * Leaves out classes that tools generated.
   *
   * @param packageIdentifier the packages of these classes, such as {@code "..generated.."}
   * @return this
   */
  public Architecture generated(String packageIdentifier) {
    classes = classes.that(not(resideInAPackage(packageIdentifier)));
    return this;
  }

  /**
   * Sets the layers of the module, from top to bottom. A class may use the classes of its layer and
   * of the layers below it.
   *
   * @param identifiers for each layer the packages that it consists of, such as {@code
   *     "io.everheap.engine.."}
   * @return this
   */
  public Architecture layers(String... identifiers) {
    layers = List.of(identifiers);
    return this;
  }

  /**
   * Names the packages that users of a module without a descriptor may use.
   *
   * @param packages full names; none if the module is a program and not a library
   * @return this
   */
  public Architecture publicPackages(String... packages) {
    if (exported.isPresent()) {
      throw new IllegalStateException("The descriptor of the module has its public packages");
    }
    exported = Optional.of(Set.of(packages));
    return this;
  }

  /**
   * Lists a known cycle of packages.
   *
   * @param packages full names of all packages of the cycle
   * @return this
   */
  public Architecture knownPackageCycle(String... packages) {
    packageCycles.add(Set.of(packages));
    return this;
  }

  /**
   * Lists a known cycle of more than three classes.
   *
   * @param simpleNames simple names of all top-level classes of the cycle
   * @return this
   */
  public Architecture knownClassCycle(String... simpleNames) {
    classCycles.add(Set.of(simpleNames));
    return this;
  }

  /**
   * Lists a public signature that names a type that users cannot name.
   *
   * @param leak the signature and the type, as the failing test reports them
   * @return this
   */
  public Architecture knownLeak(String leak) {
    leaks.add(leak);
    return this;
  }

  /**
   * Lists top-level classes that have the same simple name.
   *
   * @param names full names of all classes with that simple name
   * @return this
   */
  public Architecture knownHomonyms(String... names) {
    homonyms.add(Set.of(names));
    return this;
  }

  /**
   * Lists a class that creates files whose permissions follow the umask, as is right for them.
   *
   * @param simpleName of the top-level class
   * @return this
   */
  public Architecture knownCreator(String simpleName) {
    creators.add(simpleName);
    return this;
  }

  /**
   * Says that only this project runs the module, which may create files by any means.
   *
   * @return this
   */
  public Architecture unpublished() {
    published = false;
    return this;
  }

  /**
   * Says that the module does not depend on the library, and so has none of its annotations.
   *
   * @return this
   */
  public Architecture withoutLibrary() {
    library = false;
    return this;
  }

  boolean hasLibrary() {
    return library;
  }

  boolean isPublished() {
    return published;
  }

  Set<String> creators() {
    return Collections.unmodifiableSet(creators);
  }

  JavaClasses classes() {
    return classes;
  }

  List<String> layers() {
    return layers;
  }

  Set<String> packagesForUsers() {
    return exported.orElseThrow(
        () -> new IllegalStateException("The module has no descriptor: name its public packages"));
  }

  Set<Set<String>> packageCycles() {
    return Collections.unmodifiableSet(packageCycles);
  }

  Set<Set<String>> classCycles() {
    return Collections.unmodifiableSet(classCycles);
  }

  Set<String> leaks() {
    return Collections.unmodifiableSet(leaks);
  }

  Set<Set<String>> homonyms() {
    return Collections.unmodifiableSet(homonyms);
  }

  /** The differences between the violations of a rule and the list of the known ones. */
  static <T> List<String> differences(Set<T> found, Set<T> known) {
    List<String> differences = new ArrayList<>();
    for (T violation : found) {
      if (!known.contains(violation)) {
        differences.add("new: " + violation);
      }
    }
    for (T violation : known) {
      if (!found.contains(violation)) {
        differences.add("listed, but it has changed or is solved: " + violation);
      }
    }
    return differences;
  }
}
