package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Failures are made small, and can be repeated from their message. */
@Campaign
class ShrinkerTest {
  private static final Pattern REPLAY = Pattern.compile("\\.replay\\(\"([^\"]+)\"\\)");
  private static final Pattern ONLY = Pattern.compile("\\.only\\(([^)]+)\\)");

  @Test
  void aTraceIsReadBackAsItWasWritten() {
    String text = "K57#12 P103[4:1,7:2]#99 P5[*,4:0]#0 P6[*]#1 P7[]#2";

    assertThat(Trace.parse(text)).hasToString(text);
    assertThat(Trace.parse(text).kinds()).isEqualTo("KPPPP");
  }

  @Test
  void aListIsReducedToWhatItTakesToFail() {
    List<Integer> numbers = IntStream.range(0, 100).boxed().toList();

    assertThat(Shrinker.smallest(numbers, some -> some.contains(17) && some.contains(80)))
        .containsExactly(17, 80);
  }

  @Test
  void aChainOfCrashesIsReducedToAnEarlierMomentAndFewerUnits() {
    var units = new TreeMap<Integer, Integer>();
    for (int i = 0; i < 30; i++) {
      units.put(i, 1);
    }
    var failing =
        new Trace(
            List.of(
                new Trace.Step(false, 500, false, new TreeMap<>(), 1, ""),
                new Trace.Step(true, 900, false, units, 2, "")));

    Trace smallest =
        new Shrinker(
                trace -> {
                  Trace.Step kill = trace.steps().get(0);
                  Trace.Step loss = trace.steps().get(1);
                  return kill.point() >= 31
                      && loss.point() == 900
                      && loss.except().containsKey(3)
                      && loss.except().containsKey(29);
                })
            .shrink(failing);

    assertThat(smallest).hasToString("K31#1 P900[3:1,29:1]#2");
  }

  /** An invariant that the program breaks: the two halves of a transfer are two transactions. */
  @Test
  void aBrokenInvariantIsReportedWithAsFewOperationsAsItTakes() {
    List<CrashTest.Operation> operations = new ArrayList<>();
    for (long i = 0; i < 12; i++) {
      long other = i;
      operations.add(heap -> map(heap).put("other", other));
    }
    operations.add(5, heap -> map(heap).put("debit", 100L));
    operations.add(9, heap -> map(heap).put("credit", 100L));
    CrashTest.Check balanced =
        (heap, progress) ->
            assertThat(map(heap).containsKey("credit")).isEqualTo(map(heap).containsKey("debit"));

    AssertionError failure =
        catchThrowableOfType(
            AssertionError.class,
            () -> CrashTest.ofOperations(operations).effort(2, 2).onFilesOnly().verify(balanced));

    assertThat(failure)
        .hasMessageContaining("seed 1 on simulated-file")
        .hasMessageContaining("smallest failure")
        .hasMessageContaining("@Test")
        .hasMessageContaining(".onFilesOnly()");
    assertThat(group(ONLY, failure)).isEqualTo("5, 9");
    // The message repeats the failure, and only it.
    AssertionError again =
        catchThrowableOfType(
            AssertionError.class,
            () ->
                CrashTest.ofOperations(operations)
                    .only(5, 9)
                    .seeds(1, 1)
                    .onFilesOnly()
                    .replay(group(REPLAY, failure))
                    .verify(balanced));
    assertThat(again).hasRootCauseInstanceOf(failure.getCause().getClass());
  }

  private static String group(Pattern pattern, Throwable failure) {
    Matcher matcher = pattern.matcher(failure.getMessage());
    assertThat(matcher.find()).as(failure.getMessage()).isTrue();
    return matcher.group(1);
  }

  private static DurableMap<String, Long> map(Heap heap) {
    return heap.map("accounts", String.class, Long.class);
  }
}
