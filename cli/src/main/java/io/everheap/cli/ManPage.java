package io.everheap.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A man page of a command, in the macros of man(7). */
final class ManPage {
  private final StringBuilder page = new StringBuilder();

  private ManPage() {}

  static String of(CommandSpec spec) {
    ManPage man = new ManPage();
    man.write(spec);
    return man.page.toString();
  }

  private void write(CommandSpec spec) {
    String name = spec.qualifiedName("-");
    String[] description = spec.usageMessage().description();
    line(".TH \"" + name.toUpperCase(Locale.ROOT) + "\" 1 \"\" \"Everheap\"");
    line(".SH NAME");
    text(name + " \\- ", CommandGroups.summary(spec));
    line(".SH SYNOPSIS");
    text("", new Help(spec, Help.defaultColorScheme(Ansi.OFF)).synopsis(0).strip());
    line(".SH DESCRIPTION");
    for (String paragraph : description) {
      line(".PP");
      text("", paragraph);
    }
    arguments(spec);
    commands(spec);
    line(".SH EXIT STATUS");
    text("", "0: success. 1: failure, or what the description says. 2: wrong usage.");
  }

  private void arguments(CommandSpec spec) {
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      heading(parameter.equals(spec.positionalParameters().getFirst()), "ARGUMENTS");
      item(
          parameter.paramLabel(), List.of(parameter.description()), parameter.defaultValueString());
    }
    List<OptionSpec> options = spec.options().stream().filter(o -> !o.hidden()).toList();
    for (OptionSpec option : options) {
      heading(option.equals(options.getFirst()), "OPTIONS");
      String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
      item(
          String.join(", ", option.names()) + value,
          List.of(option.description()),
          option.defaultValueString());
    }
  }

  private void commands(CommandSpec spec) {
    boolean first = true;
    for (Map.Entry<String, CommandLine> sub : spec.subcommands().entrySet()) {
      heading(first, "COMMANDS");
      first = false;
      item(sub.getKey(), List.of(CommandGroups.summary(sub.getValue().getCommandSpec())), "");
    }
  }

  private void heading(boolean first, String text) {
    if (first) {
      line(".SH " + text);
    }
  }

  private void item(String term, List<String> description, String byDefault) {
    line(".TP");
    text(".B ", term);
    description.forEach(part -> text("", part.replace("${DEFAULT-VALUE}", byDefault)));
  }

  /** A line of text in which nothing is a request. */
  private void text(String before, String text) {
    String escaped = text.replace("%n", " ").replace("\\", "\\e").replace("-", "\\-");
    String safe = escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    line(before + safe.replace("\n.", "\n\\&.").replace("\n'", "\n\\&'"));
  }

  private void line(String line) {
    page.append(line).append('\n');
  }
}
