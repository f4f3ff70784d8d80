package io.everheap.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.codec.derived.DerivedCodecs;
import io.everheap.error.UnsupportedTypeException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("UnusedNestedClass") // permitted classes are found by reflection
class CodecRegistryTest {
  private final CodecRegistry registry = new CodecRegistry().lookup(MethodHandles.lookup());

  /** A class that Everheap knows nothing about. */
  static final class Money {
    final long cents;

    Money(long cents) {
      this.cents = cents;
    }
  }

  private static final class MoneyCodec implements Codec<Money> {
    @Override
    public String name() {
      return "money";
    }

    @Override
    public void write(Money value, CodecOutput out) {
      out.writeZigZag(value.cents);
    }

    @Override
    public Money read(CodecInput in) {
      return new Money(in.readZigZag());
    }
  }

  private record Account(Money balance, String owner) {}

  private record Bank(Map<String, List<Optional<Account>>> accounts) {}

  private record Untyped(@SuppressWarnings("rawtypes") List list) {}

  private record Anything(Object value) {}

  private record Box<T>(T content) {}

  private record Numbers<T extends Integer>(T value) {}

  private record Wild(List<? extends String> texts) {}

  private record Concrete(ArrayList<String> list) {}

  private record Growing<T>(T value, Growing<List<T>> next) {}

  private sealed interface Vehicle {
    record Car(Thread driver) implements Vehicle {}

    final class Bike implements Vehicle {}
  }

  private sealed interface Priced {
    record Free() implements Priced {}

    final class Paid implements Priced {
      final int price;

      Paid(int price) {
        this.price = price;
      }
    }
  }

  @SuppressWarnings("unused") // only its return type is of interest
  private static Map<UUID, Set<long[]>> generic() {
    return Map.of();
  }

  private static Type genericType() {
    try {
      return CodecRegistryTest.class.getDeclaredMethod("generic").getGenericReturnType();
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void builtInCodecsAreFoundByTheirClass() {
    assertThat(registry.forClass(Long.class)).isSameAs(Codecs.LONG);
    assertThat(registry.forClass(long.class)).isSameAs(Codecs.LONG);
    assertThat(registry.forClass(String.class)).isSameAs(Codecs.STRING);
    assertThat(registry.forClass(byte[].class)).isSameAs(Codecs.BYTES);
    assertThat(registry.forClass(UUID.class)).isSameAs(Codecs.UUID);
    assertThat(registry.forClass(Thread.State.class)).isInstanceOf(WordCodec.class);
  }

  @Test
  void genericTypesAreResolved() {
    assertThat(registry.forType(genericType()).name()).isEqualTo("map<uuid,set<long[]>>");
    assertThat(registry.forClass(String[][].class).name()).isEqualTo("array<array<string>>");
    String[][] texts = {{"a", null}, {}, null};
    assertThat(Bytes.roundTrip(registry.forClass(String[][].class), texts)).isDeepEqualTo(texts);
  }

  @Test
  void boundsStandForUnknownArguments() {
    assertThat(registry.forClass(Numbers.class).name()).endsWith("Numbers(int? value)");
    assertThat(registry.forClass(Wild.class).name()).endsWith("Wild(list<string>? texts)");
  }

  @Test
  void aRegisteredCodecIsUsedWhereverItsClassIs() {
    registry.register(Money.class, new MoneyCodec());
    Bank bank =
        Bytes.roundTrip(
            registry.forClass(Bank.class),
            new Bank(Map.of("x", List.of(Optional.of(new Account(new Money(-5), "Ann"))))));

    Account copy = bank.accounts().get("x").getFirst().orElseThrow();
    assertThat(copy.balance().cents).isEqualTo(-5);
    assertThat(copy.owner()).isEqualTo("Ann");
    assertThat(registry.forClass(Bank.class).canonical()).isFalse();
    assertThat(registry.forClass(Account.class).name()).contains("(money? balance, ");
  }

  @Test
  void aRegisteredCodecComesBeforeABuiltInOne() {
    Codec<String> mine =
        new FunctionCodec<>("mine", (text, out) -> out.writeUtf(text), CodecInput::readUtf);
    assertThat(registry.forClass(Wild.class).name()).contains("string");

    registry.register(String.class, mine);

    assertThat(registry.forClass(String.class)).isSameAs(mine);
    assertThat(registry.forClass(Wild.class).name()).contains("list<mine>");
  }

  @Test
  void primitivesCannotBeReplaced() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.register(int.class, Codecs.INT))
        .withMessageContaining("int");
  }

  @Test
  void aRegisteredCodecMayServeAPermittedClass() {
    registry.register(
        Priced.Paid.class,
        new FunctionCodec<>(
            "paid", (paid, out) -> out.writeInt(paid.price), in -> new Priced.Paid(in.readInt())));
    Priced copy = Bytes.roundTrip(registry.forClass(Priced.class), new Priced.Paid(3));

    assertThat(copy)
        .isInstanceOfSatisfying(Priced.Paid.class, p -> assertThat(p.price).isEqualTo(3));
  }

  @Test
  void anUnknownClassIsNamedWithThePlaceThatNeedsIt() {
    assertUnsupported(Account.class, Money.class.getName(), "Account.balance");
    assertUnsupported(
        Bank.class, Money.class.getName(), "Bank.accounts.value.element.value.balance");
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> registry.forClass(Account.class))
        .withMessageContaining("register a Codec for it")
        .satisfies(e -> assertThat(e.code()).isEqualTo("EH-CODEC-UNSUPPORTED"));
  }

  @Test
  void typesWithoutAKnownLayoutAreRefused() {
    assertUnsupported(Untyped.class, "java.util.List", "Untyped.list");
    assertUnsupported(Anything.class, "java.lang.Object", "Anything.value");
    assertUnsupported(Box.class, "java.lang.Object", "Box.content");
    assertUnsupported(Concrete.class, "java.util.ArrayList<java.lang.String>", "Concrete.list");
    assertUnsupported(Thread.class, "java.lang.Thread", "Thread");
    assertUnsupported(List.class, "java.util.List", "List");
    assertUnsupported(Runnable[].class, "java.lang.Runnable", "Runnable[].element");
  }

  @Test
  void adviceFitsTheType() {
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> registry.forClass(Concrete.class))
        .withMessageContaining("declare it as List, Set or Map");
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> registry.forClass(Box.class))
        .withMessageContaining("type argument");
  }

  @Test
  void aPermittedClassWithoutALayoutIsRefused() {
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> registry.forClass(Vehicle.class))
        .withMessageMatching(
            "no codec for (java.lang.Thread, needed by Vehicle.Car.driver|.*Bike, needed by"
                + " Vehicle.Bike): .*");
  }

  @Test
  void typesThatGrowWithoutEndAreRefused() {
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> registry.forClass(Growing.class));
  }

  @Test
  void aRecordThatNoLookupReachesIsRefused() throws ClassNotFoundException {
    Class<?> hidden = Class.forName("jdk.internal.misc.ThreadTracker$ThreadRef");
    assertThat(hidden.isRecord()).isTrue();

    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> registry.forClass(hidden))
        .withMessageContaining("ThreadRef")
        .withMessageContaining("CodecRegistry.lookup")
        .withCauseInstanceOf(IllegalAccessException.class);
  }

  @Test
  void aFailureLeavesNothingBehind() {
    assertUnsupported(Bank.class, Money.class.getName(), "Bank.accounts");
    registry.register(Money.class, new MoneyCodec());

    Bank empty = new Bank(Map.of());
    assertThat(Bytes.roundTrip(registry.forClass(Bank.class), empty)).isEqualTo(empty);
  }

  @Test
  void manyThreadsGetTheSameCodec() {
    registry.register(Money.class, new MoneyCodec());
    Set<Codec<Bank>> codecs = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 1000).parallel().forEach(i -> codecs.add(registry.forClass(Bank.class)));

    assertThat(codecs).hasSize(1);
  }

  private void assertUnsupported(Class<?> type, String unknown, String path) {
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> registry.forClass(type))
        .withMessageStartingWith("no codec for " + unknown + ", needed by " + path);
  }

  /** A codec of the user's with any name. */
  private record Named(String name) implements Codec<Money> {
    @Override
    public void write(Money value, CodecOutput out) {
      out.writeLong(value.cents);
    }

    @Override
    public Money read(CodecInput in) {
      return new Money(in.readLong());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "long", "string", "list", "record", "a b", "list<long>", "a,b", "a=b", "a?"})
  void aNameThatCouldBeTakenForAnotherIsRefused(String name) {
    var codec = new Named(name);
    assertThatThrownBy(() -> registry.register(Money.class, codec))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Named.class.getName())
        .hasMessageContaining("'" + name + "'");
    assertThatThrownBy(() -> DerivedCodecs.list(codec).name())
        .isInstanceOf(IllegalArgumentException.class);
    try (Heap heap = Heap.inMemory()) {
      assertThatThrownBy(() -> heap.map("money", Codecs.LONG, codec))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> heap.map("money", Codecs.LONG, DerivedCodecs.optional(codec)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(heap.names()).isEmpty();
    }
  }

  @Test
  void aNameHasABoundedLength() {
    registry.register(Money.class, new Named("n".repeat(1000)));
    assertThatThrownBy(() -> registry.register(Money.class, new Named("n".repeat(1001))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1000");
  }

  @Test
  void aBuiltInCodecCanBeRegisteredForAClass() {
    registry.register(String.class, Codecs.STRING);
    registry.register(Integer.class, Codecs.INT);
    assertThat(registry.forClass(String.class).name()).isEqualTo("string");
  }
}
