package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.log.SegmentLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records that a replica of a journal gets in parts. */
class ArrivingPieceTest {
  @Test
  void recordsThatAreOnlyAnnouncedTakeNoMemory() {
    List<ArrivingPiece> pieces = new ArrayList<>();
    for (int i = 0; i < 64; i++) { // all of them together are longer than the memory of any test
      ArrivingPiece piece = new ArrivingPiece(SegmentLayout.START, 1 << 30);
      assertThat(piece.add(ByteBuffer.allocate(10))).isTrue();
      assertThat(piece.isWhole()).isFalse();
      pieces.add(piece);
    }
    assertThat(pieces).hasSize(64);
  }

  @Test
  void partsOfAnySizesMakeAPiece() {
    byte[] all = new byte[1_000_000];
    new Random(1).nextBytes(all);
    ArrivingPiece piece = new ArrivingPiece(SegmentLayout.START, all.length);
    int step = 1;
    for (int at = 0; at < all.length; at += step, step *= 3) {
      assertThat(piece.isWhole()).isFalse();
      step = Math.min(step, all.length - at);
      assertThat(piece.add(ByteBuffer.wrap(all, at, step))).isTrue();
    }
    assertThat(piece.isWhole()).isTrue();
    assertThat(piece.bytes()).isEqualTo(ByteBuffer.wrap(all));
  }

  @Test
  void moreThanWasAnnouncedIsRefused() {
    ArrivingPiece piece = new ArrivingPiece(SegmentLayout.START, 10);
    assertThat(piece.add(ByteBuffer.allocate(11))).isFalse();
    assertThat(piece.add(ByteBuffer.allocate(10))).isTrue();
    assertThat(piece.add(ByteBuffer.allocate(1))).isFalse();
  }
}
