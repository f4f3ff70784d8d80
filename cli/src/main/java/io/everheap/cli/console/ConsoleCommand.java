package io.everheap.cli.console;

import io.everheap.cli.KeyOptions;
import io.everheap.memory.NewFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap console DIR}: a local web page that shows a heap. */
@Command(
    name = "console",
    description = {
      "Shows a heap in a web browser, also one that another process has open. The pages show sizes,"
          + " a map of the space, entries, objects and damage; of a heap that another process has"
          + " open, its activity. Never writes to the heap.",
      "Serves only this machine, and only who has the printed address. Ends with Ctrl-C.",
      "Exit code 1: the heap is missing, its key is not given or another one, or the port is in use."
    })
public final class ConsoleCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the heap.")
  private Path directory;

  @Mixin private KeyOptions keys;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "The port (default: any that is free).")
  private int port;

  @Option(names = "--no-browser", description = "Only print the address.")
  private boolean noBrowser;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (port < 0 || port > 65_535) {
      throw new ParameterException(spec.commandLine(), "--port must be 0 to 65535, not " + port);
    }
    PrintWriter out = spec.commandLine().getOut();
    try (ConsoleServer server = ConsoleServer.start(directory, keys, port)) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      out.println("The console of " + directory + " is at " + server.address());
      out.println("Ctrl-C ends it.");
      out.flush();
      if (!noBrowser) {
        browse(server.address());
      }
      new CountDownLatch(1).await();
    }
    return ExitCode.OK;
  }

  /** The page that leads to an address. */
  static String leadingTo(String address) {
    return "<meta http-equiv=refresh content='0; url=" + address + "'>";
  }

  /**
   * Opens the address through a file that only this user can read: arguments of processes can be
   * read by others, and the address holds the token.
   */
  private static void browse(String address) throws IOException {
    boolean mac = System.getProperty("os.name", "").startsWith("Mac");
    if (!mac && System.getenv("DISPLAY") == null && System.getenv("WAYLAND_DISPLAY") == null) {
      return;
    }
    Path page = NewFiles.createTempText("everheap-console", ".html", leadingTo(address));
    try {
      new ProcessBuilder(mac ? "open" : "xdg-open", page.toString())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      // There is no such program; the address was printed.
    }
  }
}
