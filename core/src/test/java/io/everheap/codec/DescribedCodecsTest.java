package io.everheap.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.ARRAY;

import io.everheap.codec.derived.CodecRegistry;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.error.CorruptValueException;
import io.everheap.error.UnsupportedTypeException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.lang.invoke.MethodHandles;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Campaign
@SuppressWarnings("ArrayRecordComponent") // arrays are components like others
class DescribedCodecsTest {
  private static final CodecRegistry REGISTRY = new CodecRegistry().lookup(MethodHandles.lookup());

  enum Color {
    RED,
    GREEN
  }

  enum Empty {}

  record Money(long amount, String currency) {}

  record Everything(
      boolean flag,
      byte small,
      char letter,
      float part,
      Integer boxed,
      Color color,
      Optional<Instant> when,
      List<Money> list,
      Set<String> set,
      Map<Color, int[]> map,
      Money[] array,
      Money money) {}

  record Node(int value, List<Node> children, Node next) {}

  record Pair<A, B>(A first, B second) {}

  record Pairs(Pair<String, Pair<Long, Color>> nested, Pair<String, Long>[] array) {}

  record Nothing() {}

  sealed interface Shape {}

  record Circle(double radius) implements Shape {}

  record Group(List<Shape> shapes) implements Shape {}

  enum Unit implements Shape {
    POINT
  }

  record Empties(Nothing nothing, Empty empty) {}

  @Test
  void aRecordBecomesAMapInTheOrderOfItsComponents() {
    Codec<Money> codec = REGISTRY.forClass(Money.class);

    assertThat(reread(codec, new Money(7, "CHF")))
        .isEqualTo(Map.of("amount", 7L, "currency", "CHF"))
        .hasToString("{amount=7, currency=CHF}");
  }

  @Test
  void everyKindOfComponentIsRead() {
    Codec<Everything> codec = REGISTRY.forClass(Everything.class);
    var value =
        new Everything(
            true,
            (byte) -1,
            'x',
            1.5f,
            null,
            Color.GREEN,
            Optional.of(Instant.EPOCH),
            Arrays.asList(new Money(1, null), null),
            Set.of("one"),
            Map.of(Color.RED, new int[] {1, 2}),
            new Money[] {new Money(2, "EUR")},
            new Money(3, "USD"));

    Map<String, Object> read = record(reread(codec, value));
    assertThat(read)
        .containsEntry("flag", true)
        .containsEntry("small", (byte) -1)
        .containsEntry("letter", 'x')
        .containsEntry("part", 1.5f)
        .containsEntry("boxed", null)
        .containsEntry("color", "GREEN")
        .containsEntry("when", Optional.of(Instant.EPOCH))
        .containsEntry("set", Set.of("one"));
    assertThat(read.get("list")).hasToString("[{amount=1, currency=null}, null]");
    assertThat(record(read.get("map")).get("RED")).isEqualTo(new int[] {1, 2});
    assertThat(read.get("array"))
        .asInstanceOf(ARRAY)
        .containsExactly(Map.of("amount", 2L, "currency", "EUR"));
    assertThat(read.get("money")).isEqualTo(Map.of("amount", 3L, "currency", "USD"));
  }

  @Test
  void recursiveRecordsAreReadToTheirEnds() {
    var tree = new Node(1, List.of(new Node(2, List.of(), null)), new Node(3, null, null));

    assertThat(reread(REGISTRY.forClass(Node.class), tree))
        .hasToString(
            "{value=1, children=[{value=2, children=[], next=null}],"
                + " next={value=3, children=null, next=null}}");
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void genericRecordsAreTold() {
    Pair[] array = {new Pair<>("b", 2L)};
    var pairs = new Pairs(new Pair<>("a", new Pair<>(1L, Color.RED)), array);

    Map<String, Object> read = record(reread(REGISTRY.forClass(Pairs.class), pairs));
    assertThat(read.get("nested")).hasToString("{first=a, second={first=1, second=RED}}");
    assertThat(read.get("array"))
        .asInstanceOf(ARRAY)
        .containsExactly(Map.of("first", "b", "second", 2L));
  }

  @Test
  void aSealedTypeBecomesItsTagAndItsValue() {
    Codec<Shape> codec = REGISTRY.forClass(Shape.class);

    assertThat(reread(codec, new Circle(2))).isEqualTo(Map.of("Circle", Map.of("radius", 2.0)));
    assertThat(reread(codec, Unit.POINT)).isEqualTo(Map.of("Unit", "POINT"));
    assertThat(reread(codec, new Group(List.of(Unit.POINT, new Circle(1)))))
        .hasToString("{Group={shapes=[{Unit=POINT}, {Circle={radius=1.0}}]}}");
  }

  @Test
  void emptyTypesHaveNames() {
    assertThat(reread(REGISTRY.forClass(Empties.class), new Empties(new Nothing(), null)))
        .hasToString("{nothing={}, empty=null}");
  }

  @Property(tries = 50)
  void builtInCodecsAreFoundByName(@ForAll @IntRange(max = 1_000_000) int seed) {
    for (Samples<?> samples : Samples.all()) {
      sample(samples, seed);
    }
  }

  private static <T> void sample(Samples<T> samples, int seed) {
    T value = samples.values().generator(100).next(new java.util.Random(seed)).value();
    reread(samples.codec(), value);
  }

  @Test
  void wordsStayWords() {
    assertThat(DescribedCodecs.of("long")).isInstanceOf(WordCodec.class);
    assertThat(DescribedCodecs.of(REGISTRY.forClass(Color.class).name()))
        .isInstanceOf(WordCodec.class);
    assertThat(DescribedCodecs.of(REGISTRY.forClass(DayOfWeek.class).name()).canonical()).isTrue();
  }

  @Test
  void whatTheTypeNeverHadIsCorrupt() {
    Codec<Object> color = DescribedCodecs.of("enum a.Color(RED,GREEN)");
    Codec<Object> shape = DescribedCodecs.of("sealed a.Shape(Circle=int)");
    var out = new CodecOutput();
    out.writeUtf("Square");

    assertThatExceptionOfType(CorruptValueException.class)
        .isThrownBy(() -> color.read(new CodecInput(new byte[] {2})));
    assertThatExceptionOfType(CorruptValueException.class)
        .isThrownBy(() -> shape.read(new CodecInput(out.toByteArray())));
  }

  @Test
  void valuesThatTheTypeDoesNotHaveAreNotWritten() {
    var out = new CodecOutput();

    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> DescribedCodecs.of("enum a.Color(RED)").write("BLUE", out));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> DescribedCodecs.of("sealed a.Shape(A=int)").write(Map.of("B", 1), out));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> DescribedCodecs.of("sealed a.Shape(A=int)").write(Map.of(), out));
    assertThatExceptionOfType(NullPointerException.class)
        .isThrownBy(() -> DescribedCodecs.of("record a.A(int x)").write(Map.of(), out));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "my.Codec",
        "list<my.Codec>",
        "list<int",
        "list<int>>",
        "map<int>",
        "record",
        "record a.A(int)",
        "record a.A(int x,int y)",
        "record a.A(int x",
        "record a.A",
        "record a.A(record a.B? b)",
        "sealed a.A(int)",
        "enum a.A",
        "enum a.A(B",
        "int "
      })
  void anythingElseIsRefused(String name) {
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> DescribedCodecs.of(name));
  }

  @Test
  void nestingIsBounded() {
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> DescribedCodecs.of("list<".repeat(100_000)));
  }

  @Property
  void noTextLeadsToAnotherFailure(
      @ForAll @CharRange(from = ' ', to = 'z') @StringLength(max = 40) String text) {
    parse(text);
  }

  @Property
  void noDamagedNameLeadsToAnotherFailure(
      @ForAll @IntRange(max = 1_000) int at, @ForAll @CharRange(from = ' ', to = 'z') char c) {
    var name = new StringBuilder(REGISTRY.forClass(Everything.class).name());
    name.setCharAt(at % name.length(), c);

    parse(name.toString());
  }

  private static void parse(String name) {
    try {
      assertThat(DescribedCodecs.of(name)).isNotNull();
    } catch (UnsupportedTypeException e) {
      assertThat(e.code()).isEqualTo(UnsupportedTypeException.CODE);
    }
  }

  /** Reads with the described codec what the codec wrote, and writes it again to the same bytes. */
  private static <T> Object reread(Codec<T> codec, T value) {
    byte[] bytes = Bytes.of(codec, value);
    Codec<Object> described = DescribedCodecs.of(codec.name());
    assertThat(described.name()).isEqualTo(codec.name());
    assertThat(described.canonical()).isEqualTo(codec.canonical());
    Object read = described.read(new CodecInput(bytes));
    assertThat(Bytes.of(described, read)).isEqualTo(bytes);
    return read;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> record(Object value) {
    return (Map<String, Object>) value;
  }

  /** Each level has two of the level below it, and none has a byte. */
  @Test
  void recordsWithoutBytesDoNotDoubleForEver() {
    String name = "record r0()";
    for (int i = 1; i <= 40; i++) {
      name = "record r" + i + "(" + name + " a, record r" + (i - 1) + " b)";
    }
    Codec<Object> codec = DescribedCodecs.of(name);
    FutureTask<Object> reading = new FutureTask<>(() -> codec.read(new CodecInput(new byte[0])));
    Thread.ofPlatform().daemon().start(reading);
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> Limit.get(reading))
        .withCauseInstanceOf(CorruptValueException.class);
  }

  @Test
  void typesHaveNoMoreMembersThanClasses() {
    assertThat(DescribedCodecs.of(members("record R(", "int c", ", ", 255))).isNotNull();
    assertThat(DescribedCodecs.of(members("enum E(", "c", ",", 0xFFFF))).isNotNull();
    for (String name :
        List.of(
            members("record R(", "int c", ", ", 256),
            members("enum E(", "c", ",", 0x10000),
            members("sealed S(", "int=int", ", ", 0x10000))) {
      assertThatExceptionOfType(UnsupportedTypeException.class)
          .isThrownBy(() -> DescribedCodecs.of(name))
          .withMessageContaining("no class has more than");
    }
  }

  private static String members(String head, String member, String separator, int count) {
    return String.join(separator, Collections.nCopies(count, member))
        .transform(all -> head + all + ")");
  }
}
