package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.durable.Durable;
import io.everheap.error.CorruptValueException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Codecs that cannot read what they wrote are found before anything is stored. */
class CodecCheckTest {
  record Money(long cents, String currency) {}

  /** Writes the cents; what it reads is up to the test. */
  private abstract static class MoneyCodec implements Codec<Money> {
    @Override
    public String name() {
      return "money";
    }

    @Override
    public void write(Money value, CodecOutput out) {
      out.writeLong(value.cents());
    }

    @Override
    public boolean canonical() {
      return true;
    }
  }

  private static final Codec<Money> READS_MORE =
      new MoneyCodec() {
        @Override
        public Money read(CodecInput in) {
          return new Money(in.readLong(), in.readInt() == 0 ? "EUR" : "USD");
        }

        @Override
        public String toString() {
          return "reads more";
        }
      };

  private static final Codec<Money> READS_LESS =
      new MoneyCodec() {
        @Override
        public Money read(CodecInput in) {
          return new Money(in.readInt(), "EUR");
        }

        @Override
        public String toString() {
          return "reads less";
        }
      };

  private static final Codec<Money> THROWS =
      new MoneyCodec() {
        @Override
        public Money read(CodecInput in) {
          throw new UnsupportedOperationException("not written yet");
        }

        @Override
        public String toString() {
          return "throws";
        }
      };

  @Durable
  interface Account {
    Money balance();

    void balance(Money value);
  }

  static Stream<Codec<Money>> codecs() {
    return Stream.of(READS_MORE, READS_LESS, THROWS);
  }

  private static final Money ONE = new Money(1, "EUR");

  private final Heap heap = Heap.inMemory();

  @AfterEach
  void close() {
    assertThat(heap.verify().problems()).isEmpty();
    heap.close();
  }

  private static void refused(ThrowingCallable call, String root) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("codec money")
        .hasMessageContaining(root)
        .hasMessageContaining("a value of " + Money.class.getName())
        .hasMessageNotContaining("cents");
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void nothingIsStoredByACodecThatCannotReadIt(Codec<Money> codec) {
    var map = heap.map("map", Codecs.STRING, codec);
    var keys = heap.map("keys", codec, Codecs.STRING);
    var sorted = heap.root("sorted", DurableSortedMap.of(Codecs.STRING, codec));
    var set = heap.set("set", codec);
    var list = heap.list("list", codec);
    var deque = heap.deque("deque", codec);
    var reference = heap.root("reference", DurableReference.of(codec));
    var array = heap.root("array", DurableArray.of(codec, 3));
    refused(() -> map.put("a", ONE), "root map");
    refused(() -> map.put("a", ONE), "root map");
    refused(() -> keys.put(ONE, "a"), "root keys");
    refused(() -> sorted.put("a", ONE), "root sorted");
    refused(() -> set.add(ONE), "root set");
    refused(() -> list.add(ONE), "root list");
    refused(() -> list.addAll(List.of(ONE)), "root list");
    refused(() -> deque.add(ONE), "root deque");
    refused(() -> reference.set(ONE), "root reference");
    refused(() -> array.set(1, ONE), "root array");
    assertThat(map).isEmpty();
    assertThat(list).isEmpty();
    assertThat(deque).isEmpty();
    assertThat(reference.get()).isNull();
  }

  @Test
  void neitherAreFieldsOfObjects(@TempDir Path directory) {
    try (Heap other =
        Heap.builder(directory)
            .register(Money.class, READS_MORE)
            .lookup(java.lang.invoke.MethodHandles.lookup())
            .open()) {
      Account account = other.object("account", Account.class);
      refused(() -> account.balance(ONE), "Account.balance");
      assertThat(account.balance()).isNull();
    }
  }

  /** What is within a record is read by its codec. */
  @Test
  void aCodecWithinARecordIsNamedByTheCause(@TempDir Path directory) {
    record Line(String text, Money price) {}
    try (Heap other =
        Heap.builder(directory)
            .register(Money.class, READS_MORE)
            .lookup(java.lang.invoke.MethodHandles.lookup())
            .open()) {
      var lines = other.list("lines", Line.class);
      assertThatThrownBy(() -> lines.add(new Line("x", ONE)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("money")
          .hasMessageContaining("root lines");
    }
  }

  @Test
  void withTheOptionEveryValueIsChecked(@TempDir Path directory) {
    Codec<Money> sometimes =
        new MoneyCodec() {
          @Override
          public Money read(CodecInput in) {
            long cents = in.readLong();
            return new Money(cents, cents == 1 ? "" + in.readInt() : "EUR");
          }
        };
    try (Heap other = Heap.builder(directory).checkCodecs().open()) {
      var map = other.map("map", Codecs.STRING, sometimes);
      map.put("a", new Money(2, "EUR"));
      map.put("b", new Money(3, "EUR"));
      refused(() -> map.put("c", ONE), "root map");
      assertThat(map).hasSize(2);
    }
  }

  @Test
  void whatCannotBeReadIsNamedWithItsCodecItsRootAndItsKey() {
    heap.map("map", Codecs.STRING, text(true)).put("key", "x");
    List<Runnable> reads = new ArrayList<>();
    Codec<String> other = text(false);
    var map = heap.map("map", Codecs.STRING, other);
    reads.add(() -> map.get("key"));
    reads.add(() -> map.remove("key"));
    reads.add(() -> map.values().iterator().next());
    for (Runnable read : reads) {
      assertThatThrownBy(read::run)
          .isInstanceOf(CorruptValueException.class)
          .hasMessageContaining("codec text")
          .hasMessageContaining("root map");
    }
    assertThatThrownBy(() -> map.get("key")).hasMessageContaining("Of key key");
  }

  private static Codec<String> text(boolean sound) {
    return new Codec<>() {
      @Override
      public String name() {
        return "text";
      }

      @Override
      public void write(String value, CodecOutput out) {
        Codecs.STRING.write(value, out);
      }

      @Override
      public String read(CodecInput in) {
        return sound ? Codecs.STRING.read(in) : "" + in.readLong();
      }

      @Override
      public boolean canonical() {
        return true;
      }
    };
  }
}
