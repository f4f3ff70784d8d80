package io.everheap.support.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * A file {@code TEST-*.xml} of Surefire.
 *
 * <p>Surefire 3.5 writes the simple class name for jqwik's and ArchUnit's test cases, Surefire 3.6
 * the full one. A class name without a package therefore gets the package of the suite.
 *
 * @param suite the test class for which the file was written
 * @param seconds the duration with the setup of the class. If two engines ran the class, Surefire
 *     may count one of them only, so the sum of the test cases is taken if it is larger.
 * @param cases the test cases
 */
record SurefireReport(String suite, double seconds, List<TestCase> cases) {

  static boolean isReport(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith("TEST-") && name.endsWith(".xml");
  }

  /**
   * Reads a report.
   *
   * @throws IOException if the file cannot be read or is no complete report
   */
  static SurefireReport read(Path file) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try (InputStream in = Files.newInputStream(file)) {
      XMLStreamReader xml = factory.createXMLStreamReader(in);
      try {
        return read(xml);
      } finally {
        xml.close();
      }
    } catch (XMLStreamException | NumberFormatException e) {
      throw new IOException(file + " is no complete report: " + firstLine(e.getMessage()), e);
    }
  }

  private static SurefireReport read(XMLStreamReader xml)
      throws XMLStreamException, NumberFormatException {
    String suite = "";
    double suiteSeconds = 0;
    double caseSeconds = 0;
    var cases = new ArrayList<TestCase>();
    while (xml.hasNext()) {
      if (xml.next() != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      switch (xml.getLocalName()) {
        case "testsuite" -> {
          suite = attribute(xml, "name");
          suiteSeconds = seconds(xml);
        }
        case "testcase" -> {
          TestCase testCase = readCase(xml, suite);
          caseSeconds += testCase.seconds();
          cases.add(testCase);
        }
        default -> {}
      }
    }
    return new SurefireReport(suite, Math.max(suiteSeconds, caseSeconds), List.copyOf(cases));
  }

  private static TestCase readCase(XMLStreamReader xml, String suite) throws XMLStreamException {
    String className = withPackage(attribute(xml, "classname"), suite);
    String name = attribute(xml, "name").strip();
    double seconds = seconds(xml);
    var outcome = TestCase.Outcome.PASSED;
    String message = "";
    while (true) {
      int event = xml.next();
      if (event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals("testcase")) {
        // A class that fails or is skipped as a whole has no method.
        boolean ofClass = name.equals(className) || name.equals(suite);
        return new TestCase(className, ofClass ? "" : name, seconds, outcome, message);
      }
      if (event != XMLStreamConstants.START_ELEMENT || outcome == TestCase.Outcome.FAILED) {
        continue;
      }
      switch (xml.getLocalName()) {
        case "failure", "error" -> {
          outcome = TestCase.Outcome.FAILED;
          message = message(xml);
        }
        case "skipped" -> {
          outcome = TestCase.Outcome.SKIPPED;
          message = message(xml);
        }
        default -> {}
      }
    }
  }

  /**
   * Returns the first line of a failure's or skip's message. JUnit's assumptions have no attribute
   * "message", only the stack trace, which begins with the type of the exception and its message.
   */
  private static String message(XMLStreamReader xml) throws XMLStreamException {
    String message = firstLine(attribute(xml, "message"));
    if (!message.isEmpty()) {
      return message;
    }
    String type = attribute(xml, "type");
    String trace = xml.getElementText().strip();
    String prefix = type + ":";
    if (trace.startsWith(prefix)) {
      return firstLine(trace.substring(prefix.length()));
    }
    return type.isEmpty() ? firstLine(trace) : type;
  }

  private static String withPackage(String className, String suite) {
    String name = className.isEmpty() ? suite : className;
    return name.indexOf('.') < 0 ? suite.substring(0, suite.lastIndexOf('.') + 1) + name : name;
  }

  /** Returns a time, which Surefire writes with a separator of thousands: 1,234.5. */
  private static double seconds(XMLStreamReader xml) throws NumberFormatException {
    String time = attribute(xml, "time").replace(",", "");
    return time.isEmpty() ? 0 : Double.parseDouble(time);
  }

  private static String attribute(XMLStreamReader xml, String name) {
    String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value;
  }

  private static String firstLine(@Nullable String text) {
    return text == null
        ? ""
        : text.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
  }
}
