package io.everheap.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.support.Limit;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.devtools.restart.Restarter;
import org.springframework.boot.devtools.restart.classloader.RestartClassLoader;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.Transactional;

/**
 * A program that Boot's {@link Restarter} starts three times in one JVM, as devtools do after each
 * change of a class. Each start checks the data of the starts before, and adds to them.
 */
public final class RestarterProgram {
  private static final int RESTARTS = 2;

  /** System property that counts the starts: each has its own copy of this class. */
  private static final String STARTS = "test.starts";

  /** Beginning of the system properties that refer weakly to the class loaders of the starts. */
  private static final String LOADER = "test.loader.";

  private RestarterProgram() {}

  /** The program. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
  static class Application {
    @Bean
    Visits visits(Heap heap) {
      return new Visits(heap);
    }
  }

  /** A value of the program's own class, which each restart loads again. */
  record Visit(int number) {}

  /** The service. */
  static class Visits {
    private final Heap heap;

    Visits(Heap heap) {
      this.heap = heap;
    }

    Map<Integer, Visit> all() {
      return heap.map("visits", Integer.class, Visit.class);
    }

    @Transactional("heapTransactionManager")
    public void add(int number) {
      all().put(number, new Visit(number));
    }

    @Transactional("heapTransactionManager")
    public void addAndFail(int number) {
      add(number);
      throw new IllegalStateException("after visit " + number);
    }
  }

  /**
   * Runs.
   *
   * @param arguments the directory of the heap, and the classes that are loaded again: {@code
   *     program}, {@code library} for those of the library too, or {@code boot} for those that Boot
   *     chooses
   */
  public static void main(String[] arguments) {
    if (!(RestarterProgram.class.getClassLoader() instanceof RestartClassLoader)) {
      var restarts = new Thread(RestarterProgram::restart, "restarts");
      restarts.setUncaughtExceptionHandler(
          (_, e) -> {
            e.printStackTrace();
            System.exit(1);
          });
      restarts.start();
      if (!arguments[1].equals("boot")) {
        URL[] reloaded = reloaded(arguments[1]);
        Restarter.initialize(arguments, false, _ -> reloaded); // ends this thread
      }
    }
    start(arguments);
  }

  /** One start; the context stays open, and only the restarter closes it. */
  private static void start(String[] arguments) {
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .properties(
                Map.of(
                    "everheap.heap.directory",
                    arguments[0],
                    "spring.main.banner-mode",
                    "off",
                    "logging.level.root",
                    "warn",
                    "spring.devtools.livereload.enabled",
                    "false",
                    "spring.devtools.restart.trigger-file",
                    "never-changed"))
            .run(arguments);
    if (!arguments[1].equals("boot")) {
      assertThat(Heap.class.getClassLoader() instanceof RestartClassLoader)
          .isEqualTo(arguments[1].equals("library"));
    }
    int start = Integer.getInteger(STARTS, 0);
    Visits visits = context.getBean(Visits.class);
    assertThat(visits.all()).hasSize(start);
    for (int i = 0; i < start; i++) {
      assertThat(visits.all().get(i)).isEqualTo(new Visit(i));
    }
    visits.add(start);
    assertThatThrownBy(() -> visits.addAndFail(start + 1)).hasMessage("after visit " + (start + 1));
    assertThat(visits.all()).hasSize(start + 1);
    System.getProperties()
        .put(LOADER + start, new WeakReference<>(Application.class.getClassLoader()));
    System.setProperty(STARTS, String.valueOf(start + 1));
  }

  /** Restarts the program, as the watcher of changed files does, and ends the JVM. */
  private static void restart() {
    awaitStarts(1);
    for (int restart = 1; restart <= RESTARTS; restart++) {
      List<Thread> before = threads();
      assertThat(before).isNotEmpty();
      Restarter.getInstance().restart();
      awaitStarts(restart + 1);
      assertThat(before).noneMatch(Thread::isAlive);
    }
    // Boot keeps the class loader of the first start, by its shutdown hook.
    var second = (WeakReference<?>) System.getProperties().get(LOADER + 1);
    Limit.until(
        "the class loader of the second start is collected",
        () -> {
          System.gc();
          return second.get() == null;
        });
    System.exit(0);
  }

  private static void awaitStarts(int starts) {
    Limit.until(starts + " starts", () -> Integer.getInteger(STARTS, 0) == starts);
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("everheap"))
        .toList();
  }

  private static URL[] reloaded(String choice) {
    Path program =
        Path.of( // by its URI: in a URL a space of a path is escaped
            URI.create(
                RestarterProgram.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toString()));
    Predicate<Path> chosen =
        choice.equals("program")
            ? program::equals
            : entry ->
                Files.isDirectory(entry) || entry.getFileName().toString().contains("everheap");
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath())
        .filter(chosen)
        .map(RestarterProgram::url)
        .toArray(URL[]::new);
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
