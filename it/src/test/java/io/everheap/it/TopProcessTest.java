package io.everheap.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.Limit;
import io.everheap.support.tier.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code top} beside a process that has the heap open, was killed, or closed it. */
@Processes
class TopProcessTest {
  @TempDir private Path temporary;

  @Test
  void topShowsTheHeapOfALivingProcessAndSaysWhatBecameOfOthers() throws Exception {
    Path heap = Files.createDirectory(temporary.resolve("heap"));
    Result none = top(heap, "--once");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).contains("shows no counters").hasLineCount(1);

    Process writer;
    try (WatchService watch = FileSystems.getDefault().newWatchService()) {
      heap.register(
          watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
      writer = writer(heap);
      awaitCounters(watch, false);
      awaitCounters(watch, true); // the second publication, so that there are rates
    }
    try {
      Result live = top(heap, "--once", "--json");
      assertThat(live.err()).isEmpty();
      assertThat(live.code()).isZero();
      assertThat(live.out())
          .contains("\"pid\":" + writer.pid(), "\"state\":\"open\"", "\"perSecond\":{\"commits\":")
          .doesNotContain("\"commits\":0,");
      assertThat(top(heap, "--once").out()).contains("commits/s", "private pages", "Archive");
    } finally {
      writer.destroyForcibly().waitFor();
    }

    Result stale = top(heap, "--once");
    assertThat(stale.code()).isEqualTo(1);
    assertThat(stale.err()).contains("process " + writer.pid(), "ended without closing");
  }

  @Test
  void topEndsWhenTheHeapIsClosed() throws Exception {
    Path heap = Files.createDirectory(temporary.resolve("heap"));
    Process writer;
    Process top;
    try (WatchService watch = FileSystems.getDefault().newWatchService()) {
      heap.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      writer = writer(heap);
      awaitCounters(watch, false);
    }
    top = java("io.everheap.cli.Main", "top", heap.toString(), "--json").start();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(top.getInputStream(), UTF_8))) {
      assertThat(lines.readLine()).contains("\"publication\":");
      assertThat(lines.readLine()).contains("\"perSecond\"");
      writer.getOutputStream().close(); // tells it to close the heap
      assertThat(writer.waitFor()).isZero();
      while (lines.readLine() != null) {
        // what it saw before the heap was closed
      }
      assertThat(top.waitFor()).isZero();
    } finally {
      top.destroyForcibly().waitFor();
      writer.destroyForcibly().waitFor();
    }
    assertThat(heap.resolve("counters")).doesNotExist();
    try (Heap open = Heap.open(heap)) {
      assertThat(open.stats().recovery().clean()).isTrue();
    }
  }

  private static void awaitCounters(WatchService watch, boolean changed)
      throws InterruptedException {
    var kind =
        changed ? StandardWatchEventKinds.ENTRY_MODIFY : StandardWatchEventKinds.ENTRY_CREATE;
    while (true) {
      WatchKey key = watch.poll(Limit.seconds(), TimeUnit.SECONDS);
      assertThat(key).as("a change of the counters").isNotNull();
      boolean found =
          key.pollEvents().stream()
              .anyMatch(e -> e.kind().equals(kind) && e.context().equals(Path.of("counters")));
      key.reset();
      if (found) {
        return;
      }
    }
  }

  private static Process writer(Path heap) throws IOException {
    return java(TopProcessTest.class.getName(), heap.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static Result top(Path heap, String... options) throws Exception {
    ProcessBuilder builder = java("io.everheap.cli.Main", "top", heap.toString());
    builder.command().addAll(List.of(options));
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), out, err);
  }

  private record Result(int code, String out, String err) {}

  private static ProcessBuilder java(String... command) {
    var builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"));
    builder.command().addAll(List.of(command));
    return builder;
  }

  /** Commits until its input ends, then closes the heap. */
  public static void main(String[] arguments) {
    AtomicBoolean ended = new AtomicBoolean();
    Thread.ofPlatform().daemon().start(() -> awaitEnd(ended));
    try (Heap heap = Heap.open(Path.of(arguments[0]))) {
      var map = heap.map("numbers", Long.class, Long.class);
      for (long n = 0; !ended.get(); n++) {
        map.put(n % 1000, n);
      }
    }
  }

  private static void awaitEnd(AtomicBoolean ended) {
    try {
      System.in.readAllBytes();
    } catch (IOException e) {
      // it ended as well
    }
    ended.set(true);
  }
}
