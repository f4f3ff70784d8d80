package io.everheap.testkit;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.stability.Evolving;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Crashes a program that uses a heap, at many moments and in many ways, and checks what it finds
 * when it opens the heap again:
 *
 * <pre>{@code
 * CrashTest.of((heap, steps) -> {
 *       var map = heap.map("accounts", String.class, Long.class);
 *       for (int i = 1; i <= 20; i++) {
 *         steps.begin();
 *         heap.transact(() -> { map.merge("a", 1L, Long::sum); map.merge("b", -1L, Long::sum); });
 *         steps.end();
 *       }
 *     })
 *     .verify((heap, progress) -> {
 *       var map = heap.map("accounts", String.class, Long.class);
 *       long a = map.getOrDefault("a", 0L);
 *       assert a + map.getOrDefault("b", 0L) == 0;
 *       assert a >= progress.least() && a <= progress.most();
 *     });
 * }</pre>
 *
 * <p>The program runs once for each seed and medium, from an empty heap to its close, on simulated
 * ordinary and byte-addressable storage. At the chosen moments the process is killed, and just
 * before something becomes durable the power is lost with several choices of what survives. The
 * recovery that follows is crashed in turn. A failure names the seed, the moments and what
 * survived. If the program does the same whenever it runs, the failure is first made smaller: fewer
 * operations (of a program that is {@linkplain #ofOperations a list of them}), an earlier moment,
 * fewer things that survive; and the message holds a test that repeats just this one.
 *
 * <p>Not thread-safe; the program under test may use threads.
 *
 * @since 0.9
 */
@Evolving
public final class CrashTest {
  private static final Explorer.Effort NESTED = new Explorer.Effort(1, 2, 2);

  /** The most programs that are tried to make a failing one smaller. */
  private static final int MOST_PROGRAMS = 60;

  private final Program program;
  private final boolean list;
  private Durability durability = Durability.SYNC;
  private UnaryOperator<HeapBuilder> configuration = UnaryOperator.identity();
  private long firstSeed = 1;
  private int seeds = 1;
  private int points = 6;
  private int states = 8;
  private int exhaustive = 64;
  private @Nullable Trace replayed;
  private boolean file = true;
  private boolean dax = true;

  /** The program that is crashed. */
  @FunctionalInterface
  public interface Program {
    /**
     * Works on an empty heap. The heap is closed afterwards.
     *
     * @param heap an open heap
     * @param steps receives the program's progress
     * @throws Exception if the program failed, without any crash
     */
    void run(Heap heap, Steps steps) throws Exception;
  }

  /** One step of a program that is a list of operations. */
  @FunctionalInterface
  public interface Operation {
    /**
     * Runs the step.
     *
     * @param heap an open heap
     * @throws Exception if it failed, without any crash
     */
    void run(Heap heap) throws Exception;
  }

  /** The check that must pass after a crash. */
  @FunctionalInterface
  public interface Check {
    /**
     * Throws if something is wrong. It may be called on a heap that is empty because nothing was
     * durable.
     *
     * @param heap the heap, open again
     * @param progress how many steps were done
     * @throws Exception or an error, if something is wrong
     */
    void verify(Heap heap, Progress progress) throws Exception;
  }

  /** Receives the progress of a program. Thread-safe. */
  public interface Steps {
    /** The next step begins; from now on it may be found. */
    void begin();

    /** All steps that began have returned; from now on they must be found, as durability says. */
    void end();

    /** All steps that ended survive a power loss too, as after {@link Heap#sync}. */
    void durable();
  }

  /**
   * How many steps may be found after a crash.
   *
   * @param least steps that must be found
   * @param most steps that can be found
   * @param operations of which the program consists now, in their order; empty if it is not a list
   */
  public record Progress(int least, int most, List<Operation> operations) {
    /** Copies the list. */
    public Progress {
      operations = List.copyOf(operations);
    }
  }

  private CrashTest(Program program) {
    this.program = Objects.requireNonNull(program, "program");
    this.list = program instanceof OperationList;
  }

  /**
   * Makes a test of a program.
   *
   * @param program what to crash
   * @return a test with the defaults: one seed, both kinds of storage, {@link Durability#SYNC}
   */
  public static CrashTest of(Program program) {
    return new CrashTest(program);
  }

  /**
   * Makes a test of a program that is a list of operations. Each is one step. When a test fails,
   * operations are left out as long as it still fails; so the check has to use {@link
   * Progress#operations}, or a property that holds whatever operations are left out.
   *
   * @param operations what to do, one after the other
   * @return a test with the same defaults
   */
  public static CrashTest ofOperations(List<? extends Operation> operations) {
    return new CrashTest(OperationList.of(operations));
  }

  /**
   * Keeps only some operations of a list.
   *
   * @param indexes of the operations to keep, ascending
   * @return a new test of these, with the defaults
   */
  public CrashTest only(int... indexes) {
    if (!(program instanceof OperationList operations)) {
      throw new IllegalStateException("the program is not a list of operations");
    }
    return new CrashTest(operations.only(indexes));
  }

  /**
   * Crashes in one way only: as a failure's message says.
   *
   * @param crashes such as {@code K57#12 P103[4:1]#99}: killed at moment 57, and the successor lost
   *     its power at its moment 103, which nothing survived but version 1 of unit 4; behind the #
   *     are seeds
   * @return this
   */
  public CrashTest replay(String crashes) {
    replayed = Trace.parse(crashes);
    return this;
  }

  /**
   * Chooses the seeds.
   *
   * @param first the first of them
   * @param count how many
   * @return this
   */
  public CrashTest seeds(long first, int count) {
    firstSeed = first;
    seeds = count;
    return this;
  }

  /**
   * Chooses how much to try.
   *
   * @param pointsOfEachKind moments of each kind, such as syncs of the log, at which to crash
   * @param statesOfEachPoint ways to lose power at each of them, at least 2, where there are too
   *     many to try them all
   * @return this
   */
  public CrashTest effort(int pointsOfEachKind, int statesOfEachPoint) {
    if (pointsOfEachKind < 1 || statesOfEachPoint < 2) {
      throw new IllegalArgumentException("at least one point and two states");
    }
    points = pointsOfEachKind;
    states = statesOfEachPoint;
    return this;
  }

  /**
   * Tries every moment, and at each of them all ways to lose power if these are not more than
   * 4,096. Good for programs of a few transactions.
   *
   * @param statesOfLargePoints ways to lose power where there are more than 4,096, at least 2
   * @return this
   */
  public CrashTest everywhere(int statesOfLargePoints) {
    effort(Integer.MAX_VALUE, statesOfLargePoints);
    exhaustive = Explorer.Effort.EXHAUSTIVE;
    return this;
  }

  /**
   * Chooses the durability of the heap.
   *
   * @param newDurability of all its commits that do not say otherwise
   * @return this
   */
  public CrashTest durability(Durability newDurability) {
    durability = Objects.requireNonNull(newDurability, "durability");
    return this;
  }

  /**
   * Changes how the heap is opened, for example registers codecs. Sizes that the change sets are
   * replaced by small ones.
   *
   * @param change is given the builder before each opening
   * @return this
   */
  public CrashTest configure(UnaryOperator<HeapBuilder> change) {
    configuration = Objects.requireNonNull(change, "change");
    return this;
  }

  /**
   * Tests on ordinary storage only.
   *
   * @return this
   */
  public CrashTest onFilesOnly() {
    file = true;
    dax = false;
    return this;
  }

  /**
   * Tests on byte-addressable storage only.
   *
   * @return this
   */
  public CrashTest onDaxOnly() {
    file = false;
    dax = true;
    return this;
  }

  /**
   * Runs the program, crashes it, and checks each state that a crash left behind.
   *
   * @param check what must hold
   * @return the counts of what was tried
   * @throws AssertionError if the check, the program or the heap failed; the message says where,
   *     the cause says why
   */
  public CrashReport verify(Check check) {
    var report = new CrashReport();
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      if (file) {
        run(check, seed, false, report);
      }
      if (dax) {
        run(check, seed, true, report);
      }
    }
    return report;
  }

  private void run(Check check, long seed, boolean onDax, CrashReport report) {
    Supplier<SimulatedMedium> media =
        () -> onDax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
    Trace trace = replayed;
    if (trace != null) {
      Explorer.replay(process(program, check), media.get(), trace);
      return;
    }
    try {
      explorer(seed, report).explore(() -> process(program, check), media);
    } catch (Explorer.Failure failure) {
      throw withReproduction(shrunk(failure, check, seed, media), seed, onDax);
    }
  }

  private record Shrunk(Program program, Explorer.Failure failure) {}

  /** Leaves operations out as long as some crash still fails. */
  private Shrunk shrunk(
      Explorer.Failure failure, Check check, long seed, Supplier<SimulatedMedium> media) {
    var smallest = new Shrunk[] {new Shrunk(program, failure)};
    if (program instanceof OperationList operations && !failure.trace().steps().isEmpty()) {
      int[] tries = new int[1];
      Shrinker.smallest(
          operations.indexes(),
          kept -> {
            if (tries[0]++ == MOST_PROGRAMS) {
              return false;
            }
            OperationList fewer = operations.only(kept.stream().mapToInt(i -> i).toArray());
            try {
              explorer(seed, new CrashReport()).explore(() -> process(fewer, check), media);
              return false;
            } catch (Explorer.Failure again) {
              boolean crashed = !again.trace().steps().isEmpty();
              if (crashed) {
                smallest[0] = new Shrunk(fewer, again);
              }
              return crashed;
            }
          });
    }
    return smallest[0];
  }

  private Explorer.Failure withReproduction(Shrunk shrunk, long seed, boolean onDax) {
    String message = String.valueOf(shrunk.failure.getMessage());
    Trace trace = shrunk.failure.trace();
    if (!trace.steps().isEmpty()) {
      message +=
          String.format(
              Locale.ROOT,
              """


          @Test
          void reproduction() {
            CrashTest.%s(...)%s
                .seeds(%d, 1)%s
                .%s()
                .replay("%s")
                .verify(...);
          }
          """,
              list ? "ofOperations" : "of",
              shrunk.program instanceof OperationList operations ? operations.only() : "",
              seed,
              durability instanceof Durability.Sync ? "" : "\n      .durability(...)",
              onDax ? "onDaxOnly" : "onFilesOnly",
              trace);
    }
    return new Explorer.Failure(message, trace, shrunk.failure.getCause());
  }

  private Explorer explorer(long seed, CrashReport report) {
    int most = (int) Math.min(40L * points, Integer.MAX_VALUE);
    var efforts = List.of(new Explorer.Effort(points, most, states, exhaustive), NESTED);
    return new Explorer(seed, efforts, report);
  }

  private HeapProcess process(Program one, Check check) {
    return new HeapProcess(one, check, new SimulatedHeaps(durability, configuration));
  }
}
