package io.everheap.cli;

import io.everheap.HeapStats;
import io.everheap.Root;
import io.everheap.report.Footprint;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints the properties of a heap as text. */
final class InfoText {
  private final PrintWriter out;

  InfoText(PrintWriter out) {
    this.out = out;
  }

  /**
   * Prints the properties.
   *
   * @param sizes of the roots that are not damaged, by name; null if they are not to be shown
   */
  void print(
      HeapStats stats,
      List<Root> roots,
      @Nullable Map<String, Footprint> sizes,
      List<String> regions) {
    field("Heap", stats.location());
    field("Id", stats.id().toString());
    field("Format", "version " + stats.formatVersion());
    if (stats.encryptionVersion() > 0) {
      field("Encryption", encryption(stats.encryptionVersion()));
    }
    field("Created", stats.created().toString());
    field("Medium", medium(stats));
    field("Capacity", capacity(stats));
    field("Used", used(stats));
    field("Log", log(stats));
    field("Epoch", Text.count(stats.epoch()));
    field(
        "Checkpoint",
        String.format(
            Locale.ROOT,
            "at LSN %s; the log ends at LSN %s",
            Text.count(stats.checkpointLsn()),
            Text.count(stats.appendedLsn())));
    field("Recovery", recovery(stats.recovery()));
    out.println();
    roots(roots, sizes);
    if (!regions.isEmpty()) {
      out.println("Regions outside of transactions: " + String.join(", ", regions));
    }
    out.println();
    sizeClasses(stats.sizeClasses());
    out.flush();
  }

  private static String encryption(int version) {
    return "version "
        + version
        + (version == 1
            ? "; in it, old pages that somebody puts back may go unnoticed (everheap upgrade)"
            : "");
  }

  private static String medium(HeapStats stats) {
    return stats.medium().equals("file")
        ? "file, log written with " + stats.durableWrite()
        : stats.medium();
  }

  private static String capacity(HeapStats stats) {
    return String.format(
        Locale.ROOT,
        "%s, may grow to %s",
        Text.bytes(stats.capacity()),
        Text.bytes(stats.maxSize()));
  }

  private static String used(HeapStats stats) {
    return String.format(
        Locale.ROOT,
        "%s in %s blocks, %s free",
        Text.bytes(stats.usedBytes()),
        Text.count(stats.blocks()),
        Text.bytes(stats.capacity() - stats.usedBytes()));
  }

  /** A heap opened for reading has no open log, so the size of the log is unknown. */
  private static String log(HeapStats stats) {
    String text =
        Text.bytes(stats.appendedLsn() - stats.checkpointLsn()) + " since the last checkpoint";
    return stats.logSize() == 0
        ? text
        : String.format(
            Locale.ROOT,
            "%s of %s, %s",
            Text.bytes(stats.logUsed()),
            Text.bytes(stats.logSize()),
            text);
  }

  private static String recovery(HeapStats.Recovery recovery) {
    if (recovery.clean()) {
      return "none needed, the heap was closed";
    }
    String text =
        "the heap was not closed; %s transactions (%s of log) are replayed at each opening until a"
            + " program opens it for writing";
    text =
        String.format(
            Locale.ROOT, text, Text.count(recovery.transactions()), Text.bytes(recovery.bytes()));
    return recovery.tornBytes() == 0
        ? text
        : text + "; an unfinished record of " + Text.bytes(recovery.tornBytes()) + " is dropped";
  }

  private void roots(List<Root> roots, @Nullable Map<String, Footprint> sizes) {
    if (roots.isEmpty()) {
      out.println("No roots.");
      return;
    }
    Table table =
        sizes == null
            ? new Table("Root", "Kind", "Entries", "Types").right(2)
            : new Table("Root", "Kind", "Entries", "Own bytes", "All bytes", "Types")
                .right(2)
                .right(3)
                .right(4);
    for (Root root : roots) {
      List<String> row = new ArrayList<>();
      row.add(root.name());
      row.add(root.kind());
      row.add(Text.count(root.size()));
      if (sizes != null) {
        Footprint size = sizes.get(root.name());
        row.add(size == null ? "damaged" : Text.bytes(size.ownBytes()));
        row.add(size == null ? "damaged" : Text.bytes(size.bytes()));
      }
      row.add(
          root.types().values().stream().map(InfoText::shown).collect(Collectors.joining(", ")));
      table.row(row.toArray(String[]::new));
    }
    table.print(out);
  }

  /** Of a changed type the newest version, and the number of versions. */
  private static String shown(String type) {
    String head = "versions<";
    if (!type.startsWith(head)) {
      return type;
    }
    int versions = 1;
    int newest = head.length();
    int depth = 0;
    for (int i = newest; i < type.length() - 1; i++) {
      switch (type.charAt(i)) {
        case '<', '(' -> depth++;
        case '>', ')' -> depth--;
        case ',' -> {
          if (depth == 0) {
            versions++;
            newest = i + 1;
          }
        }
        default -> {}
      }
    }
    String last = type.substring(newest, type.length() - 1);
    return versions == 1 ? last : last + " [" + versions + " versions]";
  }

  private void sizeClasses(List<HeapStats.SizeClass> classes) {
    var table = new Table("Block size", "Blocks", "Used", "Reserved").right(0).right(1);
    table.right(2).right(3);
    for (HeapStats.SizeClass c : classes) {
      table.row(
          c.name(),
          Text.count(c.blocks()),
          Text.bytes(c.usedBytes()),
          Text.bytes(c.reservedBytes()));
    }
    table.print(out);
  }

  private void field(String name, String value) {
    out.println(String.format(Locale.ROOT, "%-11s %s", name, value));
  }
}
