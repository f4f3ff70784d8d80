package io.everheap.memory.crypt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.RecordedMedium;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What is erased and closed with an encrypted medium, its files, and the keys of a cache. */
class SealedClosingTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final byte[] PLACE = {1, 2, 3};
  private static final int LARGE = 4 << 20;

  private final RecordedMedium files = new RecordedMedium();

  @Test
  void theKeysOfACacheAreErased() {
    byte[] dataKey = new byte[32];
    dataKey[7] = 7;
    EntrySealer sealer = new EntrySealer(dataKey);
    byte[] record = sealer.sealRecord(PLACE, new byte[40]);
    byte[] digest = sealer.digest().doFinal(PLACE);
    assertThat(sealer.sealRecord(PLACE, new byte[40])).isEqualTo(record);
    sealer.close();
    assertThat(sealer.sealRecord(PLACE, new byte[40])).isNotEqualTo(record);
    assertThat(sealer.openRecord(PLACE, record)).isNull();
    assertThat(sealer.digest().doFinal(PLACE)).isNotEqualTo(digest);
  }

  @Test
  void theDataKeyIsErasedEvenIfTheMediumUnderItCannotBeClosed() {
    SealedMedium medium = SealedMedium.open(files.open(), KEY);
    byte[] derived = medium.derivedKey("heap.root");
    files.fail("close");
    assertThatThrownBy(medium::close).hasMessageContaining("made up");
    assertThat(medium.derivedKey("heap.root")).isNotEqualTo(derived);
  }

  @Test
  void aMappingStaysWhenItsFileIsClosedAndNoneIsMadeLater() {
    try (SealedMedium medium = SealedMedium.open(files.open(), KEY)) {
      MediumFile file = medium.create("f");
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), 0);
      try (Region region = file.map(Mapping.PRIVATE, 0, LARGE)) {
        assertThat(region.getLong(0)).isEqualTo(0x0807_0605_0403_0201L);
        file.close();
        assertThat(region.getLong(0)).isEqualTo(0x0807_0605_0403_0201L);
      }
      assertThat(files.openFiles()).isZero();
      assertThatIllegalStateException()
          .isThrownBy(() -> file.map(Mapping.PRIVATE, 0, LARGE))
          .withMessage("the file is closed");
    }
  }
}
