package io.everheap.benchmarks.harness;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The main class of a child JVM that holds one {@link Subject}. It measures on requests from its
 * standard input, so that several of them take turns, each warm and alone on the machine.
 *
 * <p>Answers are lines: {@code ok name=value ...} or {@code failed message}.
 */
public final class Worker {
  private Worker() {}

  /**
   * Runs until the standard input ends.
   *
   * @param args the class of the subject, then its parameters as {@code name=value}
   * @throws Exception if the subject cannot be made
   */
  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err); // output of libraries is not an answer
    Map<String, String> parameters = new HashMap<>();
    for (int i = 1; i < args.length; i++) {
      int split = args[i].indexOf('=');
      parameters.put(args[i].substring(0, split), args[i].substring(split + 1));
    }
    try (Subject subject =
            Class.forName(args[0])
                .asSubclass(Subject.class)
                .getDeclaredConstructor()
                .newInstance();
        var requests =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      answers.println(
          answer(
              () -> {
                subject.open(parameters);
                return Map.of();
              }));
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        String[] request = line.split(" ", -1);
        answers.println(answer(() -> subject.measure(request)));
      }
    }
  }

  private interface Step {
    Map<String, Double> run() throws Exception;
  }

  private static String answer(Step step) {
    try {
      return "ok"
          + step.run().entrySet().stream()
              .map(e -> " " + e.getKey() + "=" + e.getValue())
              .collect(Collectors.joining());
    } catch (Exception | LinkageError e) {
      e.printStackTrace();
      return "failed " + String.valueOf(e).lines().findFirst().orElse("");
    }
  }
}
