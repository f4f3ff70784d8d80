package io.everheap.replication;

import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.tier.Campaign;
import java.io.InputStream;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Any messages, with and without the secret: a primary serves its replicas after them. */
@Campaign
class FuzzedPrimaryTest {
  private static final int SAMPLE = 100;

  private int inputs;

  @ParameterizedTest
  @EnumSource(Kind.class)
  void servesAfterAnyMessages(Kind kind) throws Exception {
    String target = "primary-" + kind.name().toLowerCase(Locale.ROOT);
    WireInput follow = recorded(target);
    try (FuzzedListener listener = new FuzzedListener(kind)) {
      Fuzz.of(target, WireInput.FORM, WireInput.MUTATION)
          .inputs(600)
          .run(
              input -> {
                listener.check(input);
                if (++inputs % SAMPLE == 0) {
                  listener.requireThatReplicasFollow(follow);
                }
              });
      listener.requireThatReplicasFollow(follow);
    }
  }

  private static WireInput recorded(String target) throws Exception {
    String name = "/fuzz/" + target + "/follow";
    try (InputStream in =
        Objects.requireNonNull(FuzzedPrimaryTest.class.getResourceAsStream(name))) {
      return WireInput.FORM.parse(in.readAllBytes());
    }
  }
}
