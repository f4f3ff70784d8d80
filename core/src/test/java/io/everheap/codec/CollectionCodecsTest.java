package io.everheap.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.codec.derived.DerivedCodecs;
import io.everheap.error.CorruptValueException;
import io.everheap.error.TooLargeException;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.constraints.WithNull;
import org.junit.jupiter.api.Test;

@Campaign
class CollectionCodecsTest {
  private static final Codec<List<String>> TEXTS = DerivedCodecs.list(Codecs.STRING);

  /** A value without any bytes. */
  private static final class Unit implements Codec<Boolean> {
    @Override
    public String name() {
      return "unit";
    }

    @Override
    public void write(Boolean value, CodecOutput out) {}

    @Override
    public Boolean read(CodecInput in) {
      return true;
    }
  }

  @Property
  void listsComeBack(
      @ForAll @Size(max = 20) List<@WithNull(0.1) @StringLength(max = 20) String> list) {
    assertThat(Bytes.roundTrip(TEXTS, list)).isEqualTo(list);
  }

  @Property
  void setsComeBackInOrder(@ForAll @Size(max = 20) Set<@WithNull(0.1) Long> set) {
    assertThat(Bytes.roundTrip(DerivedCodecs.set(Codecs.LONG), set))
        .isEqualTo(set)
        .containsExactlyElementsOf(set);
  }

  @Property
  void mapsComeBackInOrder(
      @ForAll @Size(max = 20)
          Map<@WithNull(0.1) Integer, @WithNull(0.1) @StringLength(max = 20) String> map) {
    Map<Integer, String> copy = Bytes.roundTrip(DerivedCodecs.map(Codecs.INT, Codecs.STRING), map);

    assertThat(copy).isEqualTo(map);
    assertThat(new ArrayList<>(copy.keySet())).isEqualTo(new ArrayList<>(map.keySet()));
  }

  @Test
  void optionalValuesComeBack() {
    Codec<Optional<List<String>>> codec = DerivedCodecs.optional(TEXTS);

    assertThat(Bytes.roundTrip(codec, Optional.empty())).isEmpty();
    assertThat(Bytes.roundTrip(codec, Optional.of(List.of("a")))).contains(List.of("a"));
  }

  @Test
  void aNullableCodecTakesNull() {
    Codec<String> codec = DerivedCodecs.nullable(Codecs.STRING);

    assertThat(Bytes.roundTrip(codec, null)).isNull();
    assertThat(Bytes.roundTrip(codec, "a")).isEqualTo("a");
    assertThat(codec.name()).isEqualTo("nullable<string>");
  }

  @Test
  void decodedCollectionsAreUnmodifiable() {
    assertThat(Bytes.roundTrip(TEXTS, List.of("a"))).isUnmodifiable();
    assertThat(Bytes.roundTrip(DerivedCodecs.set(Codecs.STRING), Set.of("a"))).isUnmodifiable();
    assertThat(Bytes.roundTrip(DerivedCodecs.map(Codecs.INT, Codecs.STRING), Map.of(1, "a")))
        .isUnmodifiable();
  }

  @Test
  void anySetIsWrittenInItsOwnOrder() {
    Set<String> ignoringCase = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    ignoringCase.addAll(List.of("b", "A", "c"));

    assertThat(Bytes.roundTrip(DerivedCodecs.set(Codecs.STRING), ignoringCase))
        .containsExactly("A", "b", "c");
  }

  @Test
  void listsAreCanonicalAndSetsAndMapsAreNot() {
    assertThat(TEXTS.canonical()).isTrue();
    assertThat(DerivedCodecs.optional(TEXTS).canonical()).isTrue();
    assertThat(DerivedCodecs.nullable(TEXTS).canonical()).isTrue();
    assertThat(DerivedCodecs.set(Codecs.LONG).canonical()).isFalse();
    assertThat(DerivedCodecs.map(Codecs.LONG, Codecs.LONG).canonical()).isFalse();
    assertThat(DerivedCodecs.list(DerivedCodecs.set(Codecs.LONG)).canonical()).isFalse();
    assertThat(DerivedCodecs.list(new Unit()).canonical()).isFalse();
  }

  @Test
  void equalSetsOfOtherOrderHaveOtherBytes() {
    Codec<Set<Integer>> codec = DerivedCodecs.set(Codecs.INT);
    Set<Integer> one = new LinkedHashSet<>(List.of(1, 2));
    Set<Integer> other = new LinkedHashSet<>(List.of(2, 1));

    assertThat(one).isEqualTo(other);
    assertThat(Bytes.of(codec, one)).isNotEqualTo(Bytes.of(codec, other));
  }

  @Test
  void namesTellTheParts() {
    Codec<?> codec =
        DerivedCodecs.map(
            Codecs.STRING,
            DerivedCodecs.optional(DerivedCodecs.set(DerivedCodecs.list(Codecs.INSTANT))));

    assertThat(codec.name()).isEqualTo("map<string,optional<set<list<instant>>>>");
    assertThat(codec).hasToString(codec.name());
  }

  @Test
  void elementsWithoutNullsTakeNoExtraBytes() {
    assertThat(Bytes.of(DerivedCodecs.list(Codecs.LONG), List.of(1L, 2L, 3L))).hasSize(1 + 3 * 8);
  }

  @Test
  void elementsWithoutBytesAreCountedByBytes() {
    Codec<List<Boolean>> units = DerivedCodecs.list(new Unit());
    List<Boolean> three = Collections.nCopies(3, true);

    assertThat(Bytes.roundTrip(units, three)).isEqualTo(three);
    assertThat(Bytes.roundTrip(DerivedCodecs.list(units), List.of(three, List.of(), three)))
        .containsExactly(three, List.of(), three);
    var out = new CodecOutput();
    out.writeVarLong((long) Integer.MAX_VALUE << 1);
    assertThatExceptionOfType(CorruptValueException.class)
        .isThrownBy(() -> Bytes.read(units, out.toByteArray()));
  }

  @Test
  void aMapNeedsAsManyValuesAsKeys() {
    var out = new CodecOutput();
    DerivedCodecs.list(Codecs.INT).write(List.of(1, 2), out);
    DerivedCodecs.list(Codecs.INT).write(List.of(1), out);

    assertThatExceptionOfType(CorruptValueException.class)
        .isThrownBy(() -> Bytes.read(DerivedCodecs.map(Codecs.INT, Codecs.INT), out.toByteArray()))
        .withMessageStartingWith("a stored map has 2 keys and 1 values");
  }

  @Test
  void aCollectionThatContainsItselfIsRefused() {
    var codec = new EndlessCodec();
    List<Object> endless = new ArrayList<>();
    endless.add(endless);

    assertThatExceptionOfType(TooLargeException.class)
        .isThrownBy(() -> codec.write(endless, new CodecOutput()))
        .withMessageContaining("500 levels");
  }

  @Test
  void endlessNestingInBytesIsRefused() {
    byte[] nested = new byte[100_000];
    Arrays.fill(nested, (byte) 2); // a list of one element each

    assertThatExceptionOfType(CorruptValueException.class)
        .isThrownBy(() -> new EndlessCodec().read(new CodecInput(nested)))
        .withMessageContaining("500 levels");
  }

  @Test
  void manyNestedListsWithLargeSizesTakeLittleMemory() {
    var out = new CodecOutput();
    for (int i = 0; i < 450; i++) {
      out.writeVarLong(500_000 << 1); // each list claims that all that remains is its own
    }
    out.append(1 << 20);

    assertThatExceptionOfType(CorruptValueException.class)
        .isThrownBy(() -> Bytes.read(new EndlessCodec(), out.toByteArray()));
  }

  /** A list of lists of lists... */
  private static final class EndlessCodec implements Codec<List<Object>> {
    @SuppressWarnings({"unchecked", "rawtypes"}) // the elements are lists again
    private final Codec<List<Object>> delegate = DerivedCodecs.list((Codec) this);

    @Override
    public String name() {
      return "endless";
    }

    @Override
    public void write(List<Object> value, CodecOutput out) {
      delegate.write(value, out);
    }

    @Override
    public List<Object> read(CodecInput in) {
      return delegate.read(in);
    }
  }

  @Test
  void aMapMayHaveANullKeyAndNullValues() {
    Map<Integer, String> map = new LinkedHashMap<>();
    map.put(1, null);
    map.put(null, "x");

    assertThat(Bytes.roundTrip(DerivedCodecs.map(Codecs.INT, Codecs.STRING), map)).isEqualTo(map);
  }
}
