package io.everheap.testkit;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

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
 * survived; a single-threaded program that depends on nothing else fails in the same way with the
 * same seed.
 *
 * <p>Not thread-safe; the program under test may use threads.
 */
public final class CrashTest {
  private static final Explorer.Effort NESTED = new Explorer.Effort(1, 2, 2);

  private final Program program;
  private Durability durability = Durability.SYNC;
  private UnaryOperator<HeapBuilder> configuration = UnaryOperator.identity();
  private long firstSeed = 1;
  private int seeds = 1;
  private int points = 6;
  private int states = 8;
  private boolean file = true;
  private boolean dax = true;

  /** What is to be crashed. */
  @FunctionalInterface
  public interface Program {
    /**
     * Works on an empty heap. The heap is closed afterwards.
     *
     * @param heap an open heap
     * @param steps to be told how far the program is
     * @throws Exception if the program failed, without any crash
     */
    void run(Heap heap, Steps steps) throws Exception;
  }

  /** What must hold after a crash. */
  @FunctionalInterface
  public interface Check {
    /**
     * Throws if something is wrong. May be called on a heap of which nothing is left.
     *
     * @param heap the heap, open again
     * @param progress how many steps were done
     * @throws Exception or an error, if something is wrong
     */
    void verify(Heap heap, Progress progress) throws Exception;
  }

  /** How far a program is. Any thread may tell. */
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
   */
  public record Progress(int least, int most) {}

  private CrashTest(Program program) {
    this.program = Objects.requireNonNull(program, "program");
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
   * @param statesOfEachPoint ways to lose power at each of them, at least 2
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
   * Changes how the heap is opened, for example registers codecs. Its sizes are small whatever is
   * asked for.
   *
   * @param change is given the builder before each opening
   * @return this
   */
  public CrashTest configure(UnaryOperator<HeapBuilder> change) {
    configuration = Objects.requireNonNull(change, "change");
    return this;
  }

  /**
   * Leaves byte-addressable storage out.
   *
   * @return this
   */
  public CrashTest onFilesOnly() {
    file = true;
    dax = false;
    return this;
  }

  /**
   * Leaves ordinary storage out.
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
   * @return what was tried
   * @throws AssertionError if the check, the program or the heap failed; the message says where,
   *     the cause says why
   */
  public CrashReport verify(Check check) {
    var report = new CrashReport();
    var efforts = List.of(new Explorer.Effort(points, 40 * points, states), NESTED);
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      var explorer = new Explorer(seed, efforts, report);
      if (file) {
        explorer.explore(process(check), SimulatedMedium.file(seed));
      }
      if (dax) {
        explorer.explore(process(check), SimulatedMedium.dax(seed));
      }
    }
    return report;
  }

  private HeapProcess process(Check check) {
    return new HeapProcess(program, check, new SimulatedHeaps(durability, configuration));
  }
}
