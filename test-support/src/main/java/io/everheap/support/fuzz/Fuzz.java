package io.everheap.support.fuzz;

import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.everheap.support.Limit;
import io.everheap.support.Seeds;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a target over all files of its corpus, then over mutations of them. Each input must end in a
 * result or in a failure that {@link #allow} accepts, within limits of time, memory and stored
 * bytes.
 *
 * <p>The corpus of target T is {@code src/test/resources/fuzz/T} of the module, former findings
 * included. A failing input is written to {@code target/fuzz/T}, ready to be moved there.
 *
 * <p>Without settings, a fixed number of inputs from seed 1. {@code -Deverheap.fuzz=SECONDS} runs
 * each target until the process has used so much processor time, from {@link Seeds#seed()}; {@code
 * -Deverheap.fuzz.seed=N} sets another seed for both.
 *
 * @param <I> the inputs
 */
public final class Fuzz<I> {
  private static final int BUDGET = Integer.getInteger("everheap.fuzz", 0);
  private static final long SEED =
      Long.getLong("everheap.fuzz.seed", BUDGET > 0 ? Seeds.seed() : 1);
  private static final Path MODULE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
  private static final int MOST_FINDINGS = 10;
  private static final int FRAMES = 3;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final String target;
  private final Form<I> form;
  private final Mutation<I> mutation;
  private final List<String> corpora = new ArrayList<>();
  private final List<I> corpus = new ArrayList<>();
  private final SequencedMap<String, String> findings = new LinkedHashMap<>();
  private final Outcomes outcomes = new Outcomes();
  private int inputs = 100;
  private Duration time = Limit.limit();
  private long memory = 512L << 20;
  private @Nullable Path directory;
  private long stored = Long.MAX_VALUE;
  private Predicate<Throwable> allowed = failure -> false;

  private Fuzz(String target, Form<I> form, Mutation<I> mutation) {
    this.target = target;
    this.form = form;
    this.mutation = mutation;
    corpora.add(target);
  }

  /**
   * A fuzzer of messages or single files.
   *
   * @param target its name, which is that of its corpus
   * @return the fuzzer
   */
  public static Fuzz<byte[]> bytes(String target) {
    return new Fuzz<>(target, Form.BYTES, Mutation.bytes());
  }

  /**
   * A fuzzer of directories.
   *
   * @param target its name, which is that of its corpus
   * @param mutation {@link Mutation#files} or one that knows the format
   * @return the fuzzer
   */
  public static Fuzz<SequencedMap<String, byte[]>> files(
      String target, Mutation<SequencedMap<String, byte[]>> mutation) {
    return new Fuzz<>(target, Form.FILES, mutation);
  }

  /**
   * A fuzzer of other inputs.
   *
   * @param <I> the inputs
   * @param target its name, which is that of its corpus
   * @param form how inputs are kept
   * @param mutation how they are changed
   * @return the fuzzer
   */
  public static <I> Fuzz<I> of(String target, Form<I> form, Mutation<I> mutation) {
    return new Fuzz<>(target, form, mutation);
  }

  /**
   * Sets the number of mutated inputs, unless a budget of time is set.
   *
   * @param number 100 by default
   * @return this
   */
  public Fuzz<I> inputs(int number) {
    inputs = number;
    return this;
  }

  /**
   * Also uses the corpus of another target, as inputs and to mutate.
   *
   * @param other the name of the other target
   * @return this
   */
  public Fuzz<I> corpus(String other) {
    corpora.add(other);
    return this;
  }

  /**
   * Also uses a corpus of another module.
   *
   * @param module the directory of the module, beside that of this one
   * @param other the name of the other target
   * @return this
   */
  public Fuzz<I> corpus(String module, String other) {
    corpora.add(module + ":" + other);
    return this;
  }

  /**
   * Adds an input that the test makes itself.
   *
   * @param input the input
   * @return this
   */
  public Fuzz<I> from(I input) {
    corpus.add(input);
    return this;
  }

  /**
   * Accepts failures.
   *
   * @param failures those that the target may end in
   * @return this
   */
  public Fuzz<I> allow(Predicate<Throwable> failures) {
    allowed = failures;
    return this;
  }

  /**
   * Sets how long one input may take.
   *
   * @param limit 60 s by default and at least, multiplied as {@link Limit#of} does
   * @return this
   */
  public Fuzz<I> time(Duration limit) {
    time = Limit.of(limit);
    return this;
  }

  /**
   * Sets how many bytes all threads together may allocate in the Java heap for one input.
   *
   * @param bytes 512 MiB by default
   * @return this
   */
  public Fuzz<I> memory(long bytes) {
    memory = bytes;
    return this;
  }

  /**
   * Limits the size of all files of a directory.
   *
   * @param root the directory, which need not exist
   * @param bytes the limit
   * @return this
   */
  public Fuzz<I> stored(Path root, long bytes) {
    directory = root;
    stored = bytes;
    return this;
  }

  /**
   * Runs the target over all inputs, and fails with all kinds of failures that were found.
   *
   * @param code the target
   */
  public void run(Target<I> code) {
    try {
      SequencedMap<String, I> kept = read();
      corpus.addAll(kept.values());
      if (corpus.isEmpty()) {
        fail("fuzz target " + target + " has no corpus");
      }
      for (int i = 0; i < corpus.size() - kept.size(); i++) {
        one("made-" + i, corpus.get(i), code);
      }
      for (Map.Entry<String, I> each : kept.entrySet()) {
        one(each.getKey(), each.getValue(), code);
      }
      long end = SYSTEM.getProcessCpuTime() + TimeUnit.SECONDS.toNanos(BUDGET);
      int number = 0;
      while (findings.size() < MOST_FINDINGS
          && (BUDGET > 0 ? SYSTEM.getProcessCpuTime() < end : number < inputs)) {
        var mutator = new Mutator(SEED, number);
        I input = corpus.get(mutator.random().nextInt(corpus.size()));
        I other = corpus.get(mutator.random().nextInt(corpus.size()));
        one(SEED + "-" + number, mutation.mutate(input, other, mutator), code);
        number++;
      }
      System.out.println(outcomes.summary(target, SEED, number, corpus.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!findings.isEmpty()) {
      fail(String.join("\n", findings.values()));
    }
  }

  private static Path directory(String name) {
    int colon = name.indexOf(':');
    Path module = colon < 0 ? MODULE : MODULE.resolveSibling(name.substring(0, colon));
    return module.resolve("src/test/resources/fuzz").resolve(name.substring(colon + 1));
  }

  private SequencedMap<String, I> read() throws IOException {
    var read = new LinkedHashMap<String, I>();
    for (String each : corpora) {
      Path from = directory(each);
      if (!Files.isDirectory(from)) {
        continue;
      }
      try (Stream<Path> files = Files.list(from)) {
        for (Path file : files.sorted().toList()) {
          read.put(
              each.replace(':', '-') + "/" + file.getFileName(),
              form.parse(Files.readAllBytes(file)));
        }
      }
    }
    return read;
  }

  private void one(String name, I input, Target<I> code) throws IOException {
    var own = new AtomicLong(); // the total may not yet count a thread that is about to end
    var task =
        new FutureTask<@Nullable Void>(
            () -> {
              try {
                code.run(input);
              } finally {
                own.set(THREADS.getCurrentThreadAllocatedBytes());
              }
              return null;
            });
    Thread thread =
        Thread.ofPlatform()
            .inheritInheritableThreadLocals(false)
            .name("fuzz " + target)
            .daemon()
            .unstarted(task);
    long allocated = THREADS.getTotalThreadAllocatedBytes();
    long start = System.nanoTime();
    thread.start();
    @Nullable Throwable failure = null;
    try {
      task.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      failure = new AssertionError("runs longer than " + time + "\n" + stacks(thread));
      found(name, input, failure);
      fail(String.join("\n", findings.values())); // the thread still runs
    } catch (ExecutionException e) {
      failure = e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail("interrupted");
    }
    outcomes.add(failure, name, System.nanoTime() - start);
    if (failure != null && !allowed.test(failure)) {
      found(name, input, failure);
    }
    allocated = Math.max(own.get(), THREADS.getTotalThreadAllocatedBytes() - allocated);
    if (allocated > memory) {
      found(name, input, new AssertionError("allocates " + allocated + " bytes"));
    }
    long bytes = size();
    if (bytes > stored) {
      found(name, input, new AssertionError("stores " + bytes + " bytes"));
    }
  }

  /** Keeps the first input of each kind of failure. */
  private void found(String name, I input, Throwable failure) throws IOException {
    String kind = kind(failure);
    if (findings.containsKey(kind)) {
      return;
    }
    Path to = MODULE.resolve("target/fuzz").resolve(target);
    Files.createDirectories(to);
    Path file = to.resolve(name.replace('/', '-'));
    Files.write(file, form.format(input));
    var trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    findings.put(
        kind, "target " + target + ", seed and number " + name + ", " + file + ": " + trace);
  }

  private static String kind(Throwable failure) {
    StackTraceElement[] trace = failure.getStackTrace();
    return failure.getClass().getName()
        + Arrays.stream(trace)
            .filter(frame -> frame.getClassName().startsWith("io.everheap."))
            .limit(FRAMES)
            .map(StackTraceElement::toString)
            .toList();
  }

  private static String stacks(Thread thread) {
    var text = new StringBuilder();
    var all = new LinkedHashMap<Thread, StackTraceElement[]>();
    all.put(thread, thread.getStackTrace());
    all.putAll(Thread.getAllStackTraces());
    all.forEach(
        (each, frames) -> {
          text.append(each).append('\n');
          for (StackTraceElement frame : frames) {
            text.append("    at ").append(frame).append('\n');
          }
        });
    return text.toString();
  }

  private long size() throws IOException {
    if (directory == null || !Files.exists(directory)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /**
   * Code that reads inputs.
   *
   * @param <I> the inputs
   */
  @FunctionalInterface
  public interface Target<I> {
    /**
     * Reads one input.
     *
     * @param input the input
     * @throws Exception which {@link #allow} must accept
     */
    void run(I input) throws Exception;
  }
}
