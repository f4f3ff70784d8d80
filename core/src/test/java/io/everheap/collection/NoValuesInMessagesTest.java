package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.error.TooLargeException;
import io.everheap.support.SilentMessages;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No message of the library has a stored value (rule E4 of docs/encryption.md). */
@Campaign
class NoValuesInMessagesTest {
  private static final String SECRET = "4111-1111";
  private static final long NUMBER = 4_111_111_142L;

  /** A value with a telling text. */
  record Card(String number) {}

  /** Writes the number; reading fails on demand, with the number in the message. */
  private static final class CardCodec implements Codec<Card> {
    boolean fails;

    @Override
    public String name() {
      return "card";
    }

    @Override
    public void write(Card value, CodecOutput out) {
      out.writeUtf(value.number());
    }

    @Override
    public Card read(CodecInput in) {
      String number = in.readUtf();
      if (fails) {
        throw new IllegalArgumentException("cannot read " + number);
      }
      return new Card(number);
    }

    @Override
    public boolean canonical() {
      return true;
    }
  }

  @TempDir private Path dir;

  private final CardCodec codec = new CardCodec();
  private final Card card = new Card(SECRET + "-1111-1111");

  private final SilentMessages messages =
      new SilentMessages(
          NoValuesInMessagesTest.class, SECRET, Long.toString(NUMBER), Long.toHexString(NUMBER));

  @AfterEach
  void close() {
    messages.close();
  }

  private Heap open() {
    return Heap.builder(dir.resolve("heap")).register(Card.class, codec).open();
  }

  @Test
  void valuesThatDoNotDecode() {
    try (Heap heap = open()) {
      var map = heap.map("map", Codecs.STRING, codec);
      var sorted = heap.root("sorted", DurableSortedMap.of(Codecs.STRING, codec));
      var list = heap.list("list", codec);
      var deque = heap.deque("deque", codec);
      var reference = heap.root("reference", DurableReference.of(codec));
      var array = heap.root("array", DurableArray.of(codec, 3));
      map.put("a", card);
      sorted.put("a", card);
      list.add(card);
      deque.add(card);
      reference.set(card);
      array.set(0, card);
      codec.fails = true;
      messages.fails(() -> map.get("a"));
      messages.fails(() -> map.values().iterator().next());
      messages.fails(() -> map.computeIfPresent("a", (k, v) -> v));
      messages.fails(() -> map.remove("a"));
      messages.fails(() -> sorted.get("a"));
      messages.fails(() -> sorted.firstEntry().getValue());
      messages.fails(() -> list.get(0));
      messages.fails(() -> list.iterator().next());
      messages.fails(() -> deque.iterator().next());
      messages.fails(reference::get);
      messages.fails(() -> array.get(0));
      messages.require(heap.verify().toString());
      assertThat(map.undecodable().toString()).doesNotContain(SECRET);
      assertThat(map.toString()).doesNotContain(SECRET);
      codec.fails = false;
    }
  }

  @Test
  void valuesThatACodecCannotReadBack() {
    codec.fails = true;
    try (Heap heap = open()) {
      messages.fails(() -> heap.map("map", Codecs.STRING, codec).put("a", card));
      messages.fails(() -> heap.list("list", codec).add(card));
      messages.fails(() -> heap.deque("deque", codec).add(card));
      messages.fails(() -> heap.root("reference", DurableReference.of(codec)).set(card));
      messages.fails(() -> heap.root("array", DurableArray.of(codec, 3)).set(0, card));
    }
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // what erasure lets pass
  void valuesOfAnotherClass() {
    try (Heap heap = open()) {
      var map = heap.map("map", String.class, Long.class);
      var list = heap.list("list", DayOfWeek.class);
      messages.fails(() -> ((Map) map).put("a", SECRET));
      messages.fails(() -> ((List) list).add(SECRET));
      messages.fails(() -> ((List) list).add(NUMBER));
    }
  }

  @Test
  void wordsThatAreNoValues() {
    messages.fails(() -> Codecs.INT.fromWord(NUMBER));
    messages.fails(() -> Codecs.BOOLEAN.fromWord(NUMBER));
  }

  @Test
  void valuesThatAreTooLarge() {
    try (Heap heap = Heap.builder(dir.resolve("small")).maxTransaction(64 << 10).open()) {
      String large = SECRET.repeat(100_000);
      messages.fails(() -> heap.map("map", String.class, String.class).put("a", large));
      messages.fails(() -> heap.list("list", String.class).add(large));
      assertThat(catchThrowable(() -> heap.list("list", String.class).add(large)))
          .isInstanceOf(TooLargeException.class)
          .hasMessageContaining("(EH-TX-TOO-LARGE)");
    }
  }
}
