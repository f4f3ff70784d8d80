package io.everheap.benchmarks.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

class RecordCodecTest {
  private final RecordCodec codec = new RecordCodec(3);

  private static ByteIterator bytes(int size, int fill) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) fill);
    return new ByteArrayByteIterator(bytes);
  }

  private static Map<String, ByteIterator> record() {
    return Map.of("field0", bytes(1, 1), "field1", bytes(300, 2), "field2", bytes(0, 3));
  }

  private Map<String, ByteIterator> decode(byte[] record, Set<String> wanted) {
    Map<String, ByteIterator> fields = new HashMap<>();
    codec.decode(record, wanted, fields);
    return fields;
  }

  @Test
  void whatIsEncodedIsDecoded() {
    Map<String, ByteIterator> fields = decode(codec.encode(record()), null);

    assertThat(fields).containsOnlyKeys("field0", "field1", "field2");
    assertThat(fields.get("field0").toArray()).containsExactly(1);
    assertThat(fields.get("field1").toArray()).hasSize(300).containsOnly(2);
    assertThat(fields.get("field2").toArray()).isEmpty();
  }

  @Test
  void onlyWantedFieldsAreDecoded() {
    assertThat(decode(codec.encode(record()), Set.of("field1"))).containsOnlyKeys("field1");
  }

  @Test
  void aReplacedFieldMayHaveAnotherSizeAndOthersStay() {
    byte[] changed = codec.replace(codec.encode(record()), Map.of("field1", bytes(5, 9)));

    assertThat(decode(changed, null).get("field0").toArray()).containsExactly(1);
    assertThat(decode(changed, null).get("field1").toArray()).containsExactly(9, 9, 9, 9, 9);
  }

  @Test
  void theSizeOfARecordIsKnownBefore() {
    Map<String, ByteIterator> fields =
        Map.of("field0", bytes(100, 0), "field1", bytes(100, 0), "field2", bytes(100, 0));

    assertThat(codec.encode(fields)).hasSize(codec.bytes(100)).hasSize(303);
    assertThat(new RecordCodec(1).bytes(1000)).isEqualTo(1002);
  }
}
