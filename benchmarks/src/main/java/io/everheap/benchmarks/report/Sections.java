package io.everheap.benchmarks.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Generated parts of a Markdown file, each between two comments that name it. */
public final class Sections {
  private Sections() {}

  /**
   * Puts a text into a document.
   *
   * @param document with or without that section
   * @param name of the section
   * @param text that it has from now on; ends with a line break
   * @return the document; a section that was not there comes last
   */
  public static String put(String document, String name, String text) {
    String first = "<!-- results: " + name + " -->\n";
    String last = "<!-- end of results: " + name + " -->\n";
    Matcher there =
        Pattern.compile(Pattern.quote(first) + ".*?" + Pattern.quote(last), Pattern.DOTALL)
            .matcher(document);
    String section = first + "\n" + text + "\n" + last;
    return there.find()
        ? there.replaceFirst(Matcher.quoteReplacement(section))
        : document + "\n" + section;
  }
}
