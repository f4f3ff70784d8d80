package io.everheap.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.Limit;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import jdk.jfr.Recording;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.core.StandardContext;

/** The scenarios of {@link WebApplicationsTest}, each in a new JVM with one server. */
final class WebProgram {
  private static final int REDEPLOYMENTS = 6;

  private final Path directory;
  private final WebServer server;

  private WebProgram(Path directory, WebServer server) {
    this.directory = directory;
    this.server = server;
  }

  /**
   * Runs a scenario.
   *
   * @param arguments its name, and a directory
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    try (var server = new WebServer(directory)) {
      var program = new WebProgram(directory, server);
      switch (arguments[0]) {
        case "separateHeaps" -> program.separateHeaps();
        case "sameDirectory" -> program.sameDirectory();
        case "redeployments" -> program.redeployments();
        case "recordedRedeployments" -> program.recordedRedeployments();
        case "unclosed" -> program.unclosed();
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    }
  }

  private void separateHeaps() throws Exception {
    StandardContext first = deploy("first", "a");
    StandardContext second = deploy("second", "b");
    assertThat(List.of(copy(first), copy(second), Heap.class)).doesNotHaveDuplicates();
    assertThat(server.add("first")).isEqualTo("1 1 1 1");
    assertThat(server.add("second")).isEqualTo("1 1 1 1");
    assertThat(server.add("first")).isEqualTo("2 2 2 2");
    server.undeploy("first");
    assertThat(server.count("first")).isEqualTo("status 404");
    assertThat(server.add("second")).isEqualTo("2 2 2 2");
    assertThat(server.add("second")).isEqualTo("3 3 3 3");
    deploy("first", "a");
    assertThat(server.count("first")).isEqualTo("2 2 2 2");
    assertThat(server.count("second")).isEqualTo("3 3 3 3");
  }

  private void sameDirectory() throws Exception {
    deploy("first", "a");
    assertThat(server.add("first")).isEqualTo("1 1 1 1");
    StandardContext second = server.deploy("second", directory.resolve("a"), true);
    requireRefused(second);
    assertThat(server.add("first")).isEqualTo("2 2 2 2");
    server.undeploy("first");
    second.start();
    assertThat(server.add("second")).isEqualTo("3 3 3 3");
    assertThat(server.leaks()).isEmpty();
  }

  private void redeployments() throws Exception {
    deploy("other", "b");
    deploy("again", "a");
    List<WeakReference<ClassLoader>> stopped = new ArrayList<>();
    for (int i = 1; i <= REDEPLOYMENTS; i++) {
      assertThat(server.add("again")).isEqualTo(numbers(i));
      assertThat(server.add("other")).isEqualTo(numbers(i));
      if (i % 2 == 0) {
        stopped.add(server.reload("again"));
      } else {
        stopped.add(server.undeploy("again"));
        deploy("again", "a");
      }
      assertThat(server.count("again")).isEqualTo(numbers(i));
    }
    assertThat(server.leaks()).isEmpty();
    for (WeakReference<ClassLoader> loader : stopped) {
      requireCollected(loader);
    }
    assertThat(server.count("other")).isEqualTo(numbers(REDEPLOYMENTS));
    requireCollected(server.undeploy("other"));
    requireCollected(server.undeploy("again"));
    assertThat(threads()).isEmpty();
    assertThat(properties()).isEmpty();
    assertThat(server.leaks()).isEmpty();
  }

  private void recordedRedeployments() throws Exception {
    try (var recording = new Recording()) {
      recording.enable("io.everheap.Commit");
      recording.start();
      redeployments();
    }
  }

  /** Also proves that Tomcat looks for leaks: it reports the threads of the open heap. */
  private void unclosed() throws Exception {
    assertThat(server.deploy("forgetful", directory.resolve("a"), false).getState())
        .isEqualTo(LifecycleState.STARTED);
    assertThat(server.add("forgetful")).isEqualTo("1 1 1 1");
    server.undeploy("forgetful");
    assertThat(server.leaks()).anySatisfy(leak -> assertThat(leak).contains("everheap-"));
    requireRefused(server.deploy("forgetful", directory.resolve("a"), false));
    server.undeploy("forgetful");
    deploy("forgetful", "b");
    assertThat(server.add("forgetful")).isEqualTo("1 1 1 1");
  }

  private StandardContext deploy(String name, String data) throws Exception {
    StandardContext context = server.deploy(name, directory.resolve(data), true);
    assertThat(context.getState()).as("%s", server.warnings()).isEqualTo(LifecycleState.STARTED);
    return context;
  }

  private static Class<?> copy(StandardContext context) throws ClassNotFoundException {
    return context.getLoader().getClassLoader().loadClass(Heap.class.getName());
  }

  private void requireRefused(StandardContext context) {
    assertThat(context.getState().isAvailable()).isFalse();
    assertThat(server.warnings())
        .anySatisfy(
            warning ->
                assertThat(warning)
                    .contains("LockedException")
                    .contains(directory.resolve("a").resolve("heap") + " is already open")
                    .contains("in this process (" + ProcessHandle.current().pid() + ")")
                    .contains("in another class loader with another copy of this library")
                    .contains("EH-LOCKED"));
  }

  private static void requireCollected(WeakReference<ClassLoader> loader) {
    Limit.until(
        "a class loader of a stopped application is collected",
        () -> {
          System.gc();
          return loader.get() == null;
        });
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("everheap"))
        .toList();
  }

  private static List<String> properties() {
    return System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("io.everheap."))
        .toList();
  }

  private static String numbers(int visits) {
    return String.join(" ", Collections.nCopies(4, String.valueOf(visits)));
  }
}
