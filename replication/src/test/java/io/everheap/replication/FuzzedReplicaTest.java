package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.tier.Campaign;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Any messages of a primary: a replica follows them, or tries again, and can be opened. */
@Campaign
class FuzzedReplicaTest {
  @ParameterizedTest
  @EnumSource(Kind.class)
  void canBeOpenedAfterAnyMessages(Kind kind) {
    try (FuzzedFollower follower = new FuzzedFollower(kind)) {
      Fuzz.of("replica-" + kind.name().toLowerCase(Locale.ROOT), WireInput.FORM, WireInput.MUTATION)
          .memory(128 << 20)
          .inputs(400)
          .run(follower::check);
    }
  }

  @Test
  void whatWasRecordedIsApplied() throws Exception {
    try (InputStream in =
            Objects.requireNonNull(getClass().getResourceAsStream("/fuzz/replica-heap/follow"));
        FuzzedFollower follower = new FuzzedFollower(Kind.HEAP)) {
      Map<Integer, String> numbers = follower.numbersAfter(WireInput.FORM.parse(in.readAllBytes()));
      assertThat(numbers).hasSize(17).containsEntry(5, "changed 5").doesNotContainKey(3);
    }
  }
}
