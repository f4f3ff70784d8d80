package io.everheap.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.everheap.codec.derived.CodecRegistry;
import io.everheap.codec.derived.DerivedCodecs;
import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import io.everheap.error.TooLargeException;
import io.everheap.support.Limit;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

@SuppressWarnings({
  "ArrayRecordComponent", // arrays are one of the things that records may contain
  "NullOptional", // and so is null, anywhere
  "UnusedMethod", // some are found by reflection
  "UnusedNestedClass"
})
class RecordCodecTest {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final String HERE = RecordCodecTest.class.getName() + "$";

  public record Account(long balance, String owner) {}

  private record Primitives(boolean z, byte b, short s, char c, int i, long l, float f, double d) {}

  private record Boxes(
      Boolean z, Byte b, Short s, Character c, Integer i, Long l, Float f, Double d) {}

  private record Empty() {}

  private record Address(String street, int number) {}

  private record Person(String name, Address home, Optional<Address> work, Color favourite) {}

  private enum Color {
    RED,
    GREEN {}
  }

  private record Box<T>(T content) {}

  private record Boxed(Box<String> text, Box<List<Box<Long>>> numbers, Box<String>[] array) {}

  private record Tree(int value, List<Tree> children) {}

  private record Link(int value, Link next) {}

  private record Even(Odd odd) {}

  private record Odd(Even even) {}

  private sealed interface Shape permits Circle, Polygon, Nothing {}

  private record Circle(double radius) implements Shape {}

  private sealed interface Polygon extends Shape permits Square, Triangle {}

  private record Square(double side) implements Polygon {}

  private record Triangle(double a, double b, double c) implements Polygon {}

  private enum Nothing implements Shape {
    NOTHING {},
    UNKNOWN
  }

  private sealed interface Expression {
    record Literal(long value) implements Expression {}

    record Sum(Expression left, Expression right) implements Expression {}

    record Negation(Expression of) implements Expression {}
  }

  private sealed interface Result<T, E> {
    record Success<T, E>(T value) implements Result<T, E> {}

    record Failure<A, B>(B error) implements Result<A, B> {}
  }

  private record Outcome(Result<Long, String> result) {}

  private sealed interface Twins {
    record One() implements Twins {}

    final class Inner {
      record One(int x) implements Twins {}
    }
  }

  private record Collections(
      List<String> list, Set<Integer> set, Map<String, List<Double>> map, String[] array) {}

  private record Positive(int value) {
    Positive {
      if (value <= 0) {
        throw new IllegalArgumentException(value + " is not positive");
      }
    }
  }

  private static <R extends Record> Codec<R> codec(Class<R> type) {
    return DerivedCodecs.record(LOOKUP, type);
  }

  private static <R extends Record> R roundTrip(R value) {
    @SuppressWarnings("unchecked") // the class of the value
    Class<R> type = (Class<R>) value.getClass();
    return Bytes.roundTrip(codec(type), value);
  }

  private static void assertComesBack(Record value) {
    assertThat(roundTrip(value)).isEqualTo(value);
  }

  @Property
  void primitiveComponentsComeBack(
      @ForAll boolean z,
      @ForAll byte b,
      @ForAll short s,
      @ForAll char c,
      @ForAll int i,
      @ForAll long l,
      @ForAll int f,
      @ForAll long d) {
    var record =
        new Primitives(z, b, s, c, i, l, Float.intBitsToFloat(f), Double.longBitsToDouble(d));
    assertThat(Bytes.roundTrip(PRIMITIVES, record)).isEqualTo(record);
  }

  private static final Codec<Primitives> PRIMITIVES = codec(Primitives.class);

  @Test
  void primitiveComponentsTakeTheirOwnWidth() {
    assertThat(Bytes.of(PRIMITIVES, new Primitives(true, (byte) 1, (short) 2, 'c', 4, 5, 6, 7)))
        .hasSize(1 + 1 + 2 + 2 + 4 + 8 + 4 + 8);
    assertThat(PRIMITIVES.name())
        .isEqualTo(
            "record "
                + HERE
                + "Primitives(boolean z, byte b, short s, char c, int i, long l, float f,"
                + " double d)");
  }

  @Test
  void otherComponentsMayBeNull() {
    assertComesBack(new Boxes(true, (byte) -1, (short) -2, 'c', -3, -4L, -5f, -6d));
    assertComesBack(new Boxes(null, null, null, null, null, null, null, null));
    assertComesBack(new Boxes(null, (byte) 1, null, 'c', null, 4L, null, 6d));
  }

  @Test
  void aRecordIsNeverNull() {
    assertThatNullPointerException()
        .isThrownBy(() -> codec(Empty.class).write(null, new CodecOutput()));
    assertThatNullPointerException()
        .isThrownBy(() -> codec(Account.class).write(null, new CodecOutput()));
  }

  @Test
  void recordsWithinRecordsComeBack() {
    var home = new Address("Elm", 7);
    assertComesBack(new Person("Ann", home, Optional.empty(), Color.GREEN));
    assertComesBack(new Person("Bob", home, Optional.of(new Address("Oak", 1)), Color.RED));
    assertComesBack(new Person(null, null, null, null));
  }

  @Test
  void recordsWithoutComponentsComeBack() {
    assertComesBack(new Empty());
    List<Empty> many = java.util.Collections.nCopies(100, new Empty());
    assertThat(Bytes.roundTrip(DerivedCodecs.list(codec(Empty.class)), many)).isEqualTo(many);
  }

  @Test
  void collectionsWithinRecordsComeBack() {
    var value =
        new Collections(
            Arrays.asList("a", null),
            Set.of(1, 2),
            Map.of("x", List.of(1.5), "y", List.of()),
            new String[] {"p", null});
    Collections copy = roundTrip(value);

    assertThat(copy.list).isEqualTo(value.list);
    assertThat(copy.set).isEqualTo(value.set);
    assertThat(copy.map).isEqualTo(value.map);
    assertThat(copy.array).isEqualTo(value.array);
  }

  @Test
  void genericRecordsTakeTheirArguments() {
    @SuppressWarnings({"unchecked", "rawtypes"}) // generic arrays cannot be created otherwise
    Box<String>[] array = new Box[] {new Box<>("c")};
    var value = new Boxed(new Box<>("a"), new Box<>(List.of(new Box<>(1L))), array);
    Boxed copy = roundTrip(value);

    assertThat(copy.text).isEqualTo(value.text);
    assertThat(copy.numbers).isEqualTo(value.numbers);
    assertThat(copy.array).isEqualTo(value.array);
    assertThat(codec(Boxed.class).name())
        .startsWith("record " + HERE + "Boxed(record " + HERE + "Box<java.lang.String>(string? ")
        .contains(HERE + "Box<java.util.List<" + HERE + "Box<java.lang.Long>>>(list<record ")
        .endsWith("? numbers, array<record " + HERE + "Box<java.lang.String>>? array)");
  }

  @Test
  void recursiveRecordsComeBack() {
    var leaf = new Tree(1, List.of());
    assertComesBack(new Tree(0, List.of(leaf, new Tree(2, List.of(leaf, leaf)))));
    assertComesBack(new Link(1, new Link(2, new Link(3, null))));
    assertComesBack(new Even(new Odd(new Even(null))));
  }

  @Test
  void namesMentionARecursiveRecordAgain() {
    assertThat(codec(Tree.class).name())
        .isEqualTo("record " + HERE + "Tree(int value, list<record " + HERE + "Tree>? children)");
    assertThat(codec(Even.class).name())
        .isEqualTo(
            "record " + HERE + "Even(record " + HERE + "Odd(record " + HERE + "Even? even)? odd)");
  }

  @Test
  void sealedTypesComeBackAsTheClassTheyWere() {
    Codec<Shape> codec = new CodecRegistry().lookup(LOOKUP).forClass(Shape.class);
    for (Shape shape :
        List.of(
            new Circle(1),
            new Square(2),
            new Triangle(3, 4, 5),
            Nothing.NOTHING,
            Nothing.UNKNOWN)) {
      assertThat(Bytes.roundTrip(codec, shape)).isEqualTo(shape);
    }
    assertThat(codec.canonical()).isTrue();
    assertThat(codec.name())
        .isEqualTo(
            ("sealed @Shape(Circle=record @Circle(double radius), Nothing=enum @Nothing(NOTHING,"
                    + "UNKNOWN), Square=record @Square(double side), Triangle=record @Triangle("
                    + "double a, double b, double c))")
                .replace("@", HERE));
  }

  @Test
  void sealedTypesMayReferToThemselves() {
    Codec<Expression> codec = new CodecRegistry().forClass(Expression.class);
    Expression value =
        new Expression.Sum(
            new Expression.Literal(1),
            new Expression.Negation(new Expression.Sum(new Expression.Literal(2), null)));

    assertThat(Bytes.roundTrip(codec, value)).isEqualTo(value);
    assertThat(codec.canonical()).isTrue();
  }

  @Test
  void genericSealedTypesPassTheirArgumentsOn() {
    assertComesBack(new Outcome(new Result.Success<>(5L)));
    assertComesBack(new Outcome(new Result.Failure<>("no")));
  }

  @Test
  void classesOfTheSameSimpleNameHaveFullNamesAsTags() {
    Codec<Twins> codec = new CodecRegistry().forClass(Twins.class);

    assertThat(Bytes.roundTrip(codec, new Twins.One())).isEqualTo(new Twins.One());
    assertThat(Bytes.roundTrip(codec, new Twins.Inner.One(3))).isEqualTo(new Twins.Inner.One(3));
    assertThat(codec.name()).contains("Twins$Inner$One=record ");
  }

  @Test
  void anUnknownTagIsRefused() {
    var out = new CodecOutput();
    out.writeUtf("Hexagon");

    assertThatExceptionOfType(CorruptValueException.class)
        .isThrownBy(() -> Bytes.read(new CodecRegistry().forClass(Shape.class), out.toByteArray()))
        .withMessageContaining("none of [Circle, Nothing, Square, Triangle]");
  }

  @Test
  void aRecordIsCanonicalIfItsComponentsAre() {
    assertThat(codec(Person.class).canonical()).isTrue();
    assertThat(codec(Tree.class).canonical()).isTrue();
    assertThat(codec(Even.class).canonical()).isTrue();
    assertThat(codec(Collections.class).canonical()).isFalse();
  }

  @Property
  void equalRecordsHaveEqualBytes(@ForAll double one, @ForAll double other) {
    record Point(double x, BigDecimal y) {}
    Codec<Point> codec = codec(Point.class);
    var a = new Point(one, new BigDecimal("1.0"));
    var b = new Point(other, new BigDecimal("1.00"));
    var c = new Point(other, new BigDecimal("1.0"));

    assertThat(Bytes.of(codec, a)).isNotEqualTo(Bytes.of(codec, b));
    assertThat(Arrays.equals(Bytes.of(codec, a), Bytes.of(codec, c))).isEqualTo(a.equals(c));
  }

  @Test
  void aConstructorThatRefusesStoredComponentsIsReported() {
    Codec<Positive> codec = codec(Positive.class);

    assertThatExceptionOfType(CorruptValueException.class)
        .isThrownBy(() -> Bytes.read(codec, new byte[] {0, 0, 0, 0}))
        .withMessageStartingWith(
            "the constructor of " + HERE + "Positive refuses stored components")
        .withCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void differentLayoutsHaveDifferentNames() {
    record A(long x) {}
    record B(Long x) {}
    assertThat(codec(A.class).name()).endsWith("A(long x)");
    assertThat(codec(B.class).name()).endsWith("B(long? x)");
  }

  @Test
  void aNameDoesNotDependOnHowTheCodecWasMade() throws NoSuchMethodException {
    Type type = RecordCodecTest.class.getDeclaredMethod("trees").getGenericReturnType();
    Codec<?> found = new CodecRegistry().forType(type);
    Codec<?> made = DerivedCodecs.map(codec(Tree.class), codec(Tree.class));

    assertThat(made.name()).isEqualTo(found.name());
  }

  private static Map<Tree, Tree> trees() {
    return Map.of();
  }

  @Test
  void twoCodecsOfOneRecordAreToldApartInAName() {
    Codec<Address> other =
        new CodecRegistry()
            .register(
                String.class,
                new FunctionCodec<>("upper", (s, o) -> o.writeUtf(s), CodecInput::readUtf))
            .forClass(Address.class);

    assertThat(DerivedCodecs.map(codec(Address.class), other).name())
        .contains("(string? street, int number)")
        .contains("(upper? street, int number)");
  }

  @Test
  void theDeepestValuesComeBackEvenOnASmallStack() throws InterruptedException {
    Link link = null;
    Tree tree = null;
    for (int i = 0; i < CodecOutput.MAX_NESTING; i++) {
      link = new Link(i, link);
      if (i % 2 == 0) { // the list is a level, too
        tree = new Tree(i, tree == null ? null : List.of(tree));
      }
    }
    List<Record> deepest = List.of(link, tree);
    List<Record> copies = new ArrayList<>();
    var thread =
        new Thread(
            null,
            () -> deepest.forEach(value -> copies.add(roundTrip(value))),
            "small stack",
            512 << 10);
    thread.start();
    Limit.join(thread);

    assertThat(copies).hasSize(2);
    assertThat(Bytes.of(codec(Link.class), (Link) copies.get(0)))
        .isEqualTo(Bytes.of(codec(Link.class), link));
    assertThat(Bytes.of(codec(Tree.class), (Tree) copies.get(1)))
        .isEqualTo(Bytes.of(codec(Tree.class), tree));
  }

  @Test
  void aValueThatIsTooDeepIsRefused() {
    Link link = null;
    for (int i = 0; i <= CodecOutput.MAX_NESTING; i++) {
      link = new Link(i, link);
    }
    Link tooDeep = link;

    assertThatExceptionOfType(TooLargeException.class)
        .isThrownBy(() -> roundTrip(tooDeep))
        .withMessageStartingWith("the value is nested more than 500 levels deep; flatten it");
  }

  @Test
  void endlessNestingInBytesIsRefused() {
    assertEndlessIsRefused(Link.class, new byte[] {0, 0, 0, 0, 1}); // a link, and another one
    assertEndlessIsRefused(Tree.class, new byte[] {0, 0, 0, 0, 1, 2}); // a tree, a list of one
  }

  private static void assertEndlessIsRefused(Class<? extends Record> type, byte[] level) {
    var out = new CodecOutput();
    for (int i = 0; i < 100_000; i++) {
      out.writeBytes(level, 0, level.length);
    }

    assertThatExceptionOfType(CorruptValueException.class)
        .isThrownBy(() -> codec(type).read(new CodecInput(out.toByteArray())))
        .withMessageContaining("500 levels");
  }

  @Test
  void anyBytesAreAValueOrRefused() {
    List<Codec<?>> codecs = new ArrayList<>();
    for (Class<?> type :
        List.of(
            Account.class,
            Boxes.class,
            Person.class,
            Boxed.class,
            Tree.class,
            Link.class,
            Shape.class,
            Expression.class,
            Outcome.class,
            Collections.class,
            Positive.class)) {
      codecs.add(new CodecRegistry().lookup(LOOKUP).forClass(type));
    }
    var random = new Random(7);
    for (int i = 0; i < 50_000; i++) {
      Codec<?> codec = codecs.get(i % codecs.size());
      byte[] bytes = Bytes.hostile(random, random.nextInt(200));
      try {
        codec.read(new CodecInput(bytes));
      } catch (EverheapException e) {
        assertThat(e.code()).isEqualTo("EH-CODEC-VALUE");
      }
    }
  }

  @Test
  void damagedBytesAreAValueOrRefused() {
    var value =
        new Person("Ann", new Address("Elm", 7), Optional.of(new Address("\u4e2d", 1)), Color.RED);
    Codec<Person> codec = codec(Person.class);
    byte[] bytes = Bytes.of(codec, value);
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        codec.read(new CodecInput(damaged));
      } catch (EverheapException e) {
        assertThat(e.code()).isEqualTo("EH-CODEC-VALUE");
      }
    }
  }

  @Test
  void theNameTellsTheComponents() {
    assertThat(codec(Account.class).name())
        .isEqualTo("record " + HERE + "Account(long balance, string? owner)");
    assertComesBack(new Account(100, "Ann"));
  }
}
