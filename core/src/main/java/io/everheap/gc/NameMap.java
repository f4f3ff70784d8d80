package io.everheap.gc;

import io.everheap.codec.CodecInput;
import io.everheap.codec.Codecs;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.CorruptException;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.map.MapVerifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a map of names to numbers in the catalog, and refuses a damaged one. */
final class NameMap implements StructureFindings {
  private final Map<String, Long> entries = new LinkedHashMap<>();
  private @Nullable String problem;

  private NameMap() {}

  /**
   * Returns the entries of the map.
   *
   * @param reference of the map, or 0 if there is none
   * @throws CorruptException if it is damaged
   */
  static Map<String, Long> read(StructureContext heap, long reference) {
    NameMap map = new NameMap();
    if (reference != Reference.NULL) {
      new MapVerifier(heap, map).verify(reference, Codecs.STRING, Codecs.LONG);
    }
    if (map.problem != null) {
      throw CorruptException.heap(map.problem);
    }
    return map.entries;
  }

  @Override
  public void problem(String kind, long address, @Nullable String key, String message) {
    if (problem == null) {
      problem = message + ", at 0x" + Long.toHexString(address);
    }
  }

  @Override
  public boolean owned(long reference) {
    return true;
  }

  @Override
  public boolean wantsEntries() {
    return true;
  }

  @Override
  public void entry(long node, Object key, Object value) {
    entries.put(Codecs.STRING.read(new CodecInput((byte[]) key)), (Long) value);
  }
}
