package io.everheap.cli.console;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.cli.KeyOptions;
import io.everheap.cli.NoSuchRootException;
import io.everheap.cli.RefusedException;
import io.everheap.error.EverheapException;
import io.everheap.support.fuzz.Form;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.fuzz.Mutation;
import io.everheap.support.tier.Campaign;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the page asks for, with any parameters: an answer in JSON, or a refusal that names the
 * reason. An input is the path after {@code /api/} and the query.
 */
@Campaign
class FuzzedQueryTest {
  private static final int MOST_ANSWERED = 8 << 20;

  /** Things that parsers of numbers, names and encodings have to think of. */
  static final List<String> ODD =
      List.of(
          "%00",
          "%ff",
          "%",
          "%2",
          "%u0041",
          "+",
          "&",
          "=",
          "&&",
          "#",
          "?",
          "/",
          "//",
          "..",
          "-1",
          "0",
          "1",
          "200",
          "201",
          "9223372036854775807",
          "9223372036854775808",
          "4611686018427387903",
          "1e999999999",
          "-0.0",
          "NaN",
          "null",
          "true",
          "\"a\"",
          "%22",
          "%5b1%5d",
          "%7b%22a%22:1%7d",
          "%5b%5b%5b%5b%5b%5b%5b%5b",
          "%ed%a0%80",
          "1.5",
          "0x10",
          "\u0000",
          "root:",
          "root:list",
          "root:sorted",
          "root:sorted%20set",
          "root:set",
          "root:numbers",
          "root:times",
          "root:doubles",
          "root:orders",
          "root:deque",
          "root:jobs",
          "root:queue",
          "root:array",
          "root:long%20array",
          "root:text",
          "root:bytes",
          "root:counter",
          "root:reference",
          "root:nested",
          "root:people",
          "root:texts",
          "root:" + FuzzedHeap.MARK,
          "entries",
          "find",
          "object",
          "text",
          "chunks",
          "overview",
          "verify",
          "verify/start",
          "2",
          "3",
          "4",
          "5",
          "6",
          "7",
          "8",
          "9",
          "10");

  /** Exchanges parts of a request between its separators, or changes its bytes. */
  static final Mutation<byte[]> MUTATION =
      (input, other, mutator) -> {
        Random random = mutator.random();
        if (random.nextInt(3) == 0) {
          return mutator.mutate(input, other);
        }
        String text = new String(input, ISO_8859_1);
        int steps = 1 + random.nextInt(3);
        for (int i = 0; i < steps; i++) {
          String[] parts = text.split("(?<=[?&=: \r\n])|(?=[?&=: \r\n])", -1);
          int at = random.nextInt(parts.length);
          String odd = ODD.get(random.nextInt(ODD.size()));
          parts[at] =
              switch (random.nextInt(6)) {
                case 0 -> "";
                case 1 -> parts[at] + odd;
                case 2 -> parts[at] + parts[at];
                case 3 -> parts[random.nextInt(parts.length)];
                case 4 -> odd.repeat(1 + random.nextInt(200));
                default -> odd;
              };
          text = String.join("", parts);
        }
        return text.getBytes(ISO_8859_1);
      };

  @TempDir private Path temporary;
  private Path directory;

  @BeforeEach
  void makeTheHeap() {
    directory = temporary.resolve("heap");
    FuzzedHeap.make(directory);
  }

  @Test
  void anyParametersAreAnsweredOrRefused() {
    try (Subject subject = Subject.of(directory, new KeyOptions())) {
      Requests requests = new Requests(subject);
      subject.begin();
      Fuzz<byte[]> fuzz = Fuzz.of("console-query", Form.BYTES, MUTATION).memory(256 << 20);
      for (String root : roots(subject.heap())) {
        String of = "of=root:" + URLEncoder.encode(root, UTF_8);
        fuzz.from(("entries?" + of + "&offset=0&limit=10").getBytes(ISO_8859_1));
        fuzz.from(("find?" + of + "&key=1").getBytes(ISO_8859_1));
      }
      fuzz.inputs(4_000)
          .allow(
              e ->
                  e instanceof RefusedException
                      || e instanceof NoSuchRootException
                      || e instanceof EverheapException)
          .run(input -> answer(requests, new String(input, ISO_8859_1)));
      subject.end();
    }
  }

  private static List<String> roots(Heap heap) {
    return heap.roots().stream().map(root -> root.name()).toList();
  }

  private static void answer(Requests requests, String input) {
    int query = input.indexOf('?');
    String what = query < 0 ? input : input.substring(0, query);
    @Nullable String answer =
        requests.answer(what, Query.of(query < 0 ? null : input.substring(query + 1)));
    assertThat(answer == null ? 0 : answer.length()).isLessThan(MOST_ANSWERED);
  }
}
