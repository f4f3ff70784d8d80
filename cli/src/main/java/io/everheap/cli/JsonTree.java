package io.everheap.cli;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON document: objects become maps, arrays lists, numbers {@code BigDecimal}s, so that
 * no digit is lost.
 */
final class JsonTree {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private JsonTree() {}

  /**
   * Reads a text.
   *
   * @throws RefusedException if it is not one JSON document
   */
  static @Nullable Object parse(String text) {
    try (JsonParser json = FACTORY.createParser(text)) {
      if (json.nextToken() == null) {
        throw new RefusedException("not JSON: the text is empty");
      }
      Object value = value(json);
      if (json.nextToken() != null) {
        throw new RefusedException("not JSON: something follows the value");
      }
      return value;
    } catch (JacksonException e) {
      throw new RefusedException("not JSON: " + e.getOriginalMessage());
    } catch (NumberFormatException e) {
      throw new RefusedException("a number has an exponent that is out of range");
    } catch (IOException e) { // of a text in memory
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable Object value(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String name = json.currentName();
          json.nextToken();
          map.put(name, value(json));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(json));
        }
        yield list;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getDecimalValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> json.getText();
    };
  }
}
