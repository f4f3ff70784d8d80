package io.everheap.support.report;

import java.nio.file.Path;

/**
 * Derives the module of a report from its path.
 *
 * <p>The module is the directory that contains the directory {@code target}. Where reports were
 * copied without {@code target}, as in an artifact of a CI run, it is the directory that contains
 * the directory of reports, or the reports themselves. A directory in {@code samples} keeps that
 * prefix.
 */
final class ModuleName {
  private static final String TARGET = "target";
  private static final String SAMPLES = "samples";

  private ModuleName() {}

  /**
   * Returns the module.
   *
   * @param searched the absolute directory that was searched for reports
   * @param report the absolute path of the report in it
   */
  static String of(Path searched, Path report) {
    int first = searched.getNameCount();
    // A module's reports may contain test projects with a directory "target" too: the first counts.
    for (int i = first; i < report.getNameCount(); i++) {
      if (i > 0 && name(report, i).equals(TARGET)) {
        return withSamples(report, i - 1);
      }
    }
    for (int i = first - 1; i > 0; i--) {
      if (name(report, i).equals(TARGET)) {
        return withSamples(report, i - 1);
      }
    }
    int directory = report.getNameCount() - 2;
    if (directory > 0 && name(report, directory).endsWith("-reports")) {
      directory--;
    }
    return directory < 0 ? "" : withSamples(report, directory);
  }

  private static String withSamples(Path report, int index) {
    String module = name(report, index);
    boolean sample = index > 0 && name(report, index - 1).equals(SAMPLES);
    return sample ? SAMPLES + "/" + module : module;
  }

  private static String name(Path path, int index) {
    return path.getName(index).toString();
  }
}
