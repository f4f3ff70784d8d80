package io.everheap.salvage;

import io.everheap.Heap;
import io.everheap.block.UnloggedRegion;
import io.everheap.engine.RegionFile;
import io.everheap.error.EverheapException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.report.VerifyProgress;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Copies the regions beside a damaged heap into a new one, byte by byte: only the program knows
 * what in them is sound. Unreadable bytes become zeros, and are reported.
 */
final class SalvagedRegions {
  private final Medium source;
  private final @Nullable UUID uuid;
  private final SalvageCopy copy;
  private final Heap target;

  /**
   * Of a heap.
   *
   * @param uuid of the damaged heap; null if it is lost
   */
  SalvagedRegions(Medium source, @Nullable UUID uuid, SalvageCopy copy, Heap target) {
    this.source = source;
    this.uuid = uuid;
    this.copy = copy;
    this.target = target;
  }

  /** Copies all of them. */
  List<SalvageReport.Region> run(VerifyProgress progress) {
    List<SalvageReport.Region> regions = new ArrayList<>();
    for (String name : RegionFile.names(source)) {
      progress.update("region " + name, 0.95);
      regions.add(save(name));
    }
    return regions;
  }

  private SalvageReport.Region save(String name) {
    List<String> reasons = new ArrayList<>();
    long bytes = -1;
    try (MediumFile file = source.open(RegionFile.PREFIX + name)) {
      RegionFile.Found found = examine(file);
      if (!found.problem().isEmpty()) {
        reasons.add(found.problem());
      }
      UnloggedRegion region = target.region(name, found.bytes());
      bytes = found.bytes();
      long lost =
          copy.copy(
              file,
              RegionFile.offset(0),
              Math.min(RegionFile.offset(bytes), file.size()),
              (read, at) ->
                  region.copyFrom(
                      at - RegionFile.offset(0), MemorySegment.ofBuffer(read), 0, read.limit()));
      long missing = Math.max(0, RegionFile.offset(bytes) - file.size());
      if (lost + missing > 0) {
        reasons.add((lost + missing) + " of " + bytes + " bytes are lost; zeros stand for them");
      }
      region.force();
    } catch (EverheapException | IllegalArgumentException e) {
      reasons.add((bytes < 0 ? "it is not saved: " : "") + e.getMessage());
    }
    return new SalvageReport.Region(name, bytes, reasons);
  }

  /** Examines a header; one that cannot be read counts as damaged. */
  private RegionFile.Found examine(MediumFile file) {
    try {
      return RegionFile.examine(file, uuid);
    } catch (EverheapException e) {
      long rest = Math.max(0, file.size() - RegionFile.offset(0));
      return new RegionFile.Found(rest, "its header cannot be read: " + e.getMessage());
    }
  }
}
