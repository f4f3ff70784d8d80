package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.log.RecordSeal;
import io.everheap.log.SegmentLayout;
import io.everheap.support.Limit;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Records are validated while another process stores them. */
class RecordScannerTest {
  private static final long KEY = 4711;
  private static final long ORDINAL = 3;
  private static final int AT = SegmentLayout.START;
  private static final int LENGTH = 100;
  private static final int ROUNDS = 300_000;
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static ByteBuffer record() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(AT + 4096).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(AT + RecordLayout.PREVIOUS, 17);
    bytes.putInt(AT + RecordLayout.LENGTH, LENGTH);
    bytes.putInt(AT + RecordLayout.SEQUENCE, 5 | RecordLayout.FIRST | RecordLayout.LAST);
    int end = AT + RecordLayout.HEADER + LENGTH;
    new RecordSeal(KEY).seal(bytes, AT, end, RecordLayout.position(ORDINAL, AT));
    return bytes;
  }

  /** The crc is the last word of a record that is stored: before it, the seed stands there. */
  @Test
  void theCrcOfARecordThatValidatesIsThatOfTheRecord() throws Exception {
    ByteBuffer bytes = record();
    int crc = bytes.getInt(AT);
    Thread appender =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  while (!Thread.currentThread().isInterrupted()) {
                    INT.setVolatile(bytes, AT, ~crc);
                    INT.setVolatile(bytes, AT, crc);
                  }
                });
    try {
      RecordScanner scanner = new RecordScanner(bytes, KEY, ORDINAL, 64);
      for (int i = 0; i < ROUNDS; i++) {
        if (scanner.follows(AT, 5, 17)) {
          assertThat(scanner.checksum()).isEqualTo(crc);
        }
      }
    } finally {
      appender.interrupt();
      Limit.join(appender);
    }
  }
}
