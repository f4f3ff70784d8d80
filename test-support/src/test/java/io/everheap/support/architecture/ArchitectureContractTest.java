package io.everheap.support.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.support.architecture.sample.hidden.Secret;
import io.everheap.support.architecture.sample.lower.Climbing;
import io.everheap.support.architecture.sample.lower.Inlining;
import io.everheap.support.architecture.sample.lower.Lower;
import io.everheap.support.architecture.sample.open.Clean;
import io.everheap.support.architecture.sample.open.Inheriting;
import io.everheap.support.architecture.sample.open.Leaking;
import io.everheap.support.architecture.sample.ring.First;
import io.everheap.support.architecture.sample.ring.Fourth;
import io.everheap.support.architecture.sample.ring.Second;
import io.everheap.support.architecture.sample.ring.Third;
import io.everheap.support.architecture.sample.upper.Twin;
import io.everheap.support.architecture.sample.upper.Upper;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.JUnitException;

/** Each rule holds for classes that follow it, and fails for classes that do not. */
class ArchitectureContractTest {
  private static final String SAMPLE = "io.everheap.support.architecture.sample.";

  @Test
  void aCycleOfThreeClassesIsAllowed() {
    var contract = contract(module(First.class, Second.class, Third.class));
    holds(contract::noCycleHasMoreThanThreeClasses);
    assertThat(contract.classCycles())
        .containsExactly(
            Set.of(SAMPLE + "ring.First", SAMPLE + "ring.Second", SAMPLE + "ring.Third"));
  }

  @Test
  void aCycleOfFourClassesFails() {
    fails(contract(ring())::noCycleHasMoreThanThreeClasses, "new: [First, Fourth, Second, Third]");
  }

  @Test
  void aCycleOfFourClassesThatIsListedIsAllowed() {
    var listed = ring().knownClassCycle("First", "Second", "Third", "Fourth");
    holds(contract(listed)::noCycleHasMoreThanThreeClasses);
  }

  @Test
  void aCycleThatIsLargerThanItsEntryFails() {
    var listed = ring().knownClassCycle("First", "Second", "Third");
    fails(
        contract(listed)::noCycleHasMoreThanThreeClasses,
        "new: [First, Fourth, Second, Third]",
        "listed, but it has changed or is solved: ");
  }

  @Test
  void anEntryOfACycleThatIsSmallerFails() {
    var listed =
        module(First.class, Second.class, Third.class)
            .knownClassCycle("First", "Second", "Third", "Fourth");
    fails(
        contract(listed)::noCycleHasMoreThanThreeClasses,
        "listed, but it has changed or is solved: ");
  }

  @Test
  void aClassInALowerLayerThatUsesAHigherOneFails() {
    var module = module(Upper.class, Lower.class, Climbing.class);
    fails(
        contract(module.layers(SAMPLE + "upper", SAMPLE + "lower"))::noLayerUsesALayerAboveIt,
        SAMPLE + "lower.Climbing uses " + SAMPLE + "upper.Upper");
  }

  @Test
  void aConstantThatTheCompilerInlinesIsAUse() {
    var module = module(Upper.class, Inlining.class);
    fails(
        contract(module.layers(SAMPLE + "upper", SAMPLE + "lower"))::noLayerUsesALayerAboveIt,
        SAMPLE + "lower.Inlining uses " + SAMPLE + "upper.Upper");
  }

  @Test
  void aLayerMayUseTheLayersBelowIt() {
    var module = module(Upper.class, Lower.class).layers(SAMPLE + "upper", SAMPLE + "lower");
    holds(contract(module)::noLayerUsesALayerAboveIt);
    holds(contract(module)::everyPackageBelongsToOneLayer);
  }

  @Test
  void aPackageWithoutALayerFails() {
    var module = module(Upper.class, Lower.class).layers(SAMPLE + "upper");
    fails(
        contract(module)::everyPackageBelongsToOneLayer, SAMPLE + "lower belongs to the layers []");
  }

  @Test
  void aPackageInTwoLayersFails() {
    var module = module(Upper.class).layers(SAMPLE + "upper", SAMPLE + "upper..");
    fails(
        contract(module)::everyPackageBelongsToOneLayer, SAMPLE + "upper belongs to the layers [");
  }

  @Test
  void aLayerWithoutAPackageFails() {
    var module = module(Upper.class).layers(SAMPLE + "upper", SAMPLE + "lower");
    fails(
        contract(module)::everyPackageBelongsToOneLayer,
        "no package belongs to the layer " + SAMPLE + "lower");
  }

  @Test
  void aCycleOfPackagesFails() {
    fails(
        contract(module(Upper.class, Lower.class, Climbing.class))::packagesHaveNoCycles,
        "new: [" + SAMPLE + "lower, " + SAMPLE + "upper]");
  }

  @Test
  void aCycleOfPackagesThatIsListedIsAllowed() {
    var module =
        module(Upper.class, Lower.class, Climbing.class)
            .knownPackageCycle(SAMPLE + "upper", SAMPLE + "lower");
    holds(contract(module)::packagesHaveNoCycles);
  }

  @Test
  void anEntryOfACycleOfPackagesThatIsSolvedFails() {
    var module =
        module(Upper.class, Lower.class).knownPackageCycle(SAMPLE + "upper", SAMPLE + "lower");
    fails(contract(module)::packagesHaveNoCycles, "listed, but it has changed or is solved: ");
  }

  @Test
  void aSignatureThatNamesAHiddenClassFails() {
    fails(
        contract(open())::usersCanNameEveryTypeInAPublicSignature,
        SAMPLE + "open.Inheriting names " + SAMPLE + "open.Hidden",
        SAMPLE + "open.Leaking.hidden names " + SAMPLE + "open.Hidden",
        SAMPLE + "open.Leaking.secrets() names " + SAMPLE + "hidden.Secret",
        SAMPLE + "open.Hidden.inherited() names " + SAMPLE + "hidden.Secret");
  }

  @Test
  void leaksThatAreListedAreAllowed() {
    var listed =
        open()
            .knownLeak(SAMPLE + "open.Inheriting names " + SAMPLE + "open.Hidden")
            .knownLeak(SAMPLE + "open.Leaking.hidden names " + SAMPLE + "open.Hidden")
            .knownLeak(SAMPLE + "open.Leaking.secrets() names " + SAMPLE + "hidden.Secret")
            .knownLeak(SAMPLE + "open.Hidden.inherited() names " + SAMPLE + "hidden.Secret");
    holds(contract(listed)::usersCanNameEveryTypeInAPublicSignature);
  }

  @Test
  void anEntryOfALeakThatIsSolvedFails() {
    var listed = module(Clean.class).knownLeak("a signature");
    fails(
        contract(listed)::usersCanNameEveryTypeInAPublicSignature,
        "listed, but it has changed or is solved: a signature");
  }

  @Test
  void aSignatureOfTypesThatUsersCanNameIsAllowed() {
    var module = module(Clean.class, Upper.class);
    holds(contract(module)::usersCanNameEveryTypeInAPublicSignature);
  }

  @Test
  void aModuleWithoutADescriptorHasToNameItsPublicPackages() {
    var module = new Architecture(module(Clean.class).classes(), Optional.empty());
    assertThatIllegalStateException()
        .isThrownBy(contract(module)::usersCanNameEveryTypeInAPublicSignature)
        .withMessage("The module has no descriptor: name its public packages");
    holds(contract(module.publicPackages())::usersCanNameEveryTypeInAPublicSignature);
  }

  @Test
  void aModuleWithADescriptorMayNotNamePublicPackages() {
    var module = module(Clean.class);
    assertThatIllegalStateException().isThrownBy(() -> module.publicPackages(SAMPLE + "open"));
  }

  @Test
  void theDescriptorOfAModuleHasItsPublicPackages() {
    assertThat(Users.exportsOf(Users.location(JUnitException.class)).orElseThrow())
        .contains("org.junit.platform.commons")
        .doesNotContain("org.junit.platform.commons.util"); // exported to JUnit's own modules only
    assertThat(Users.exportsOf(Users.location(ArchitectureContractTest.class))).isEmpty();
  }

  @Test
  void aPublicTypeThatDoesNotSayHowItMayChangeFails() {
    var module = module(Clean.class);
    fails(
        contract(module)::publicTypesSaySinceWhenTheyExistAndHowTheyMayChange,
        SAMPLE + "open.Clean has no @since",
        SAMPLE + "open.Clean is neither @Stable nor @Evolving");
    fails(
        contract(module.withoutLibrary())::publicTypesSaySinceWhenTheyExistAndHowTheyMayChange,
        SAMPLE + "open.Clean has no @since");
  }

  @Test
  void twoClassesOfOneSimpleNameFail() {
    fails(
        contract(twins())::noTwoClassesHaveOneSimpleName,
        "new: [" + SAMPLE + "lower.Twin, " + SAMPLE + "upper.Twin]");
  }

  @Test
  void twoClassesOfOneSimpleNameThatAreListedAreAllowed() {
    var listed = twins().knownHomonyms(SAMPLE + "lower.Twin", SAMPLE + "upper.Twin");
    holds(contract(listed)::noTwoClassesHaveOneSimpleName);
  }

  @Test
  void anEntryOfHomonymsThatAreSolvedFails() {
    var listed = module(Twin.class).knownHomonyms(SAMPLE + "lower.Twin", SAMPLE + "upper.Twin");
    fails(
        contract(listed)::noTwoClassesHaveOneSimpleName,
        "listed, but it has changed or is solved: ");
  }

  @Test
  void generatedClassesAreLeftOut() {
    var module = ring().generated("..ring");
    assertThat(module.classes()).isEmpty();
  }

  @Test
  void theClassesOfTheDirectoryOfAClassAreImported() {
    var tests = Architecture.of(ArchitectureContractTest.class).classes();
    assertThat(tests.contain(Secret.class)).isTrue();
    assertThat(tests.contain(Architecture.class)).isFalse();
  }

  private static Architecture ring() {
    return module(First.class, Second.class, Third.class, Fourth.class);
  }

  private static Architecture twins() {
    return module(Twin.class, io.everheap.support.architecture.sample.lower.Twin.class);
  }

  /** Three public classes, a hidden superclass, and a class in a package that is not public. */
  private static Architecture open() {
    return module(
        Leaking.class,
        Clean.class,
        Inheriting.class,
        Inheriting.class.getSuperclass(),
        Secret.class);
  }

  private static Architecture module(Class<?>... classes) {
    return new Architecture(
        Architecture.imported(importer -> importer.importClasses(classes)),
        Optional.of(Set.of(SAMPLE + "open", SAMPLE + "upper")));
  }

  private static ArchitectureContract contract(Architecture module) {
    return new ArchitectureContract(module) {};
  }

  private static void holds(ThrowingCallable rule) {
    assertThatCode(rule).doesNotThrowAnyException();
  }

  private static void fails(ThrowingCallable rule, String... messages) {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(rule)
        .satisfies(error -> assertThat(error).message().contains(messages));
  }
}
