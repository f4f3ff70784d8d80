package io.everheap.weaver;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Weaves a directory from a command line or another build tool than Maven: {@code java -jar
 * everheap-weaver.jar DIRECTORY [CLASS_PATH]}.
 *
 * @since 0.9
 */
public final class Main {
  private Main() {}

  /**
   * Weaves.
   *
   * @param args a directory and a class path
   */
  @SuppressWarnings("SystemOut") // it is a command
  public static void main(String[] args) throws IOException {
    if (args.length < 1 || args.length > 2) {
      System.err.println("usage: java -jar everheap-weaver.jar DIRECTORY [CLASS_PATH]");
      System.exit(2);
    }
    List<Path> classPath =
        args.length == 1
            ? List.of()
            : Arrays.stream(args[1].split(File.pathSeparator)).map(Path::of).toList();
    try {
      List<String> woven = new DirectoryWeaver(Path.of(args[0]), classPath).weave();
      woven.forEach(System.out::println);
    } catch (WeavingException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }
}
