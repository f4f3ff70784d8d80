package io.everheap.support.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestNameTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "one                          | one   | ''",
        "one()[2]                     | one   | [2]",
        "one(Path)                    | one   | ''",
        "one(String, long)[12]        | one   | [12]",
        "one(int[], byte[])[3]        | one   | [3]",
        "one{String}[3]               | one   | [3]",
        "one(String)[3] shown [7]     | one   | [3]",
        "one()[1][43][1]              | one   | [1][43][1]",
        "one[true]                    | one   | ''",
        "[3] shown                    | ''    | [3]",
        "words of a property          | words | ''",
        "one(java.lang.reflect.Method)| one   | ''",
        "''                           | ''    | ''"
      })
  void aNameIsAMethodAndAnIndex(String name, String method, String index) {
    assertThat(TestName.of(name)).isEqualTo(new TestName(method, index));
  }
}
