package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void simpleValuesBecomeTheirJsonKind() throws IOException {
    assertThat(json(null)).isEqualTo("null");
    assertThat(json(true)).isEqualTo("true");
    assertThat(json((byte) -1)).isEqualTo("-1");
    assertThat(json((short) 2)).isEqualTo("2");
    assertThat(json(3)).isEqualTo("3");
    assertThat(json(Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    assertThat(json(1.5f)).isEqualTo("1.5");
    assertThat(json(2.5)).isEqualTo("2.5");
    assertThat(json(BigInteger.TWO.pow(70))).isEqualTo("1180591620717411303424");
    assertThat(json(new BigDecimal("0.10"))).isEqualTo("0.10");
    assertThat(json("a \"b\"\n\u0001\uD83D\uDE00"))
        .isEqualTo("\"a \\\"b\\\"\\n\\u0001\uD83D\uDE00\"");
  }

  @Test
  void everythingElseBecomesAString() throws IOException {
    assertThat(json('c')).isEqualTo("\"c\"");
    assertThat(json(Double.NaN)).isEqualTo("\"NaN\"");
    assertThat(json(Float.NEGATIVE_INFINITY)).isEqualTo("\"-Infinity\"");
    assertThat(json(LocalDate.of(2025, 1, 2))).isEqualTo("\"2025-01-02\"");
    assertThat(json(new UUID(0, 1))).isEqualTo("\"00000000-0000-0000-0000-000000000001\"");
    assertThat(json(new byte[] {1, 2, 3})).isEqualTo("\"AQID\"");
  }

  @Test
  void containersNest() throws IOException {
    var record = new LinkedHashMap<String, Object>();
    record.put("list", new ArrayList<>(Arrays.asList(1, null, List.of("x"))));
    record.put("some", Optional.of(7));
    record.put("none", Optional.empty());

    assertThat(json(record)).isEqualTo("{\"list\":[1,null,[\"x\"]],\"some\":7,\"none\":null}");
    assertThat(json(Map.of())).isEqualTo("{}");
    assertThat(json(new int[] {1, 2})).isEqualTo("[1,2]");
    assertThat(json(new Object[] {"x", new long[0]})).isEqualTo("[\"x\",[]]");
  }

  @Test
  void mapsWithOtherKeysThanStringsBecomeEntries() throws IOException {
    assertThat(json(Map.of(1L, "one"))).isEqualTo("[{\"key\":1,\"value\":\"one\"}]");
  }

  @Test
  void entriesAreOneLineEachEvenWithLineEndsInside() throws IOException {
    var out = new StringWriter();
    try (JsonGenerator json = Json.lines(out)) {
      for (String value : List.of("a\nb", "c\r\u2028d")) {
        Json.writeEntry(json, Map.entry(value, 1), Detail.NONE);
        json.writeRaw('\n');
      }
    }

    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(new ObjectMapper().readTree(lines.getFirst()).get("key").textValue())
        .isEqualTo("a\nb");
  }

  @Test
  void aDocumentEndsItsLine() throws IOException {
    var out = new StringWriter();
    Json.document(new PrintWriter(out), json -> Json.write(json, Map.of("a", 1)));

    assertThat(out.toString()).endsWith("}" + System.lineSeparator());
    assertThat(new ObjectMapper().readTree(out.toString()).get("a").intValue()).isEqualTo(1);
  }

  private static String json(Object value) throws IOException {
    var out = new StringWriter();
    try (JsonGenerator json = Json.lines(out)) {
      Json.write(json, value);
    }
    return out.toString();
  }
}
