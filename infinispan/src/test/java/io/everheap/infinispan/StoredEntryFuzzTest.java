package io.everheap.infinispan;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.error.EverheapException;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.tier.Campaign;
import org.infinispan.commons.io.ByteBufferImpl;
import org.junit.jupiter.api.Test;

/** Stored entries whose bytes were mutated are entries, or refused. */
@Campaign
class StoredEntryFuzzTest {
  private static byte[] bytes(StoredEntry entry) {
    var out = new CodecOutput();
    StoredEntry.CODEC.write(entry, out);
    return out.toByteArray();
  }

  @Test
  void bytesOfEntries() {
    var part = ByteBufferImpl.create(new byte[] {1, 2, 3});
    Fuzz.bytes("infinispan-entry")
        .from(bytes(new StoredEntry(StoredEntry.NEVER, -1, -1, part, null, null)))
        .from(bytes(new StoredEntry(7, 8, 9, part, part, part)))
        .inputs(3000)
        .allow(EverheapException.class::isInstance)
        .run(
            input -> {
              StoredEntry.DEADLINE.read(new CodecInput(input));
              var in = new CodecInput(input);
              StoredEntry entry = StoredEntry.CODEC.read(in);
              in.expectEnd();
              StoredEntry again = StoredEntry.CODEC.read(new CodecInput(bytes(entry)));
              assertThat(again).isEqualTo(entry);
            });
  }
}
