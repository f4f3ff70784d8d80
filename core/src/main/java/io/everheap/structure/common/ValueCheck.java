package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.EverheapException;
import java.time.zone.ZoneRulesException;
import org.jspecify.annotations.Nullable;

/**
 * Checks the values that a structure keeps in a {@link ValueStore}, whatever their bytes are: that
 * cells are there and owned once, that their parts are, and that values decode.
 */
public final class ValueCheck {
  /** Values beyond this part of the Java heap are not decoded. */
  private static final long MOST_VALUE = Runtime.getRuntime().maxMemory() / 8;

  private final HeapMemory memory;
  private final Allocator allocator;
  private final StructureFindings findings;
  private final BlockCheck blocks;
  private final ValueCells cells;
  private final LargeValues large;
  private final boolean words;
  private final @Nullable Codec<?> codec;
  private final boolean leads;
  private final Guard exclusive;

  /**
   * A check of the values of one structure.
   *
   * @param words whether its header says that values are words
   * @param codec that the values must fit, or null if they need not decode
   */
  public ValueCheck(
      StructureContext heap, StructureFindings findings, boolean words, @Nullable Codec<?> codec) {
    this.memory = heap.memory();
    this.allocator = heap.allocator();
    this.findings = findings;
    this.blocks = new BlockCheck(heap, findings);
    this.cells = new ValueCells(memory, allocator);
    this.large = new LargeValues(memory, allocator);
    this.words = words;
    this.codec = codec;
    this.leads = ObjectReferences.mayHave(codec);
    this.exclusive = new Guard(heap.stripes(), 0).exclusive();
  }

  /**
   * Returns a codec if it makes the kind of values that a header claims; else reports that it does
   * not, and returns null.
   */
  public static @Nullable Codec<?> fitting(
      StructureFindings findings, long at, boolean words, @Nullable Codec<?> codec) {
    if (codec == null || codec instanceof WordCodec<?> == words) {
      return codec;
    }
    String message = "the type " + codec.name() + " is " + (words ? "not " : "") + "one of words";
    findings.problem("type", at, null, message);
    return null;
  }

  /** Whether values of a type may be kept as words, or as bytes; those of unknown types may. */
  public static boolean fits(@Nullable String type, boolean words) {
    if (type == null) {
      return true;
    }
    if (NestedNames.isNested(type)) {
      return words;
    }
    Codec<?> codec = RawCodecs.known(type);
    return codec == null || codec instanceof WordCodec == words;
  }

  /**
   * Checks the value of the word at an address, and passes it on if it is sound and the findings
   * want entries.
   *
   * @param key of the entry: a position, for example
   */
  public void check(long at, long value, Object key) {
    if (words) {
      decode(at, Encoded.ofWord(value), key);
    } else if (ownCell(at, value, key)) {
      if (codec != null || findings.wantsEntries()) {
        load(at, value, key);
      }
    }
  }

  /** Checks a value that was loaded from the block of an entry. */
  public void checkLoaded(long at, Encoded value, Object key) {
    decode(at, value, key);
  }

  /**
   * Whether a value that does not decode is sound: it names a time zone that this JVM lacks. Types
   * of the program are decoded without their classes, so that these refuse nothing here.
   */
  public static boolean isSound(Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof ZoneRulesException) {
        return true;
      }
    }
    return false;
  }

  /** Says why a value does not decode. The message of a foreign exception may have the value. */
  public static String reason(RuntimeException e) {
    return e instanceof EverheapException
        ? String.valueOf(e.getMessage())
        : e.getClass().getSimpleName();
  }

  /** Says which type a sound value has, and why it does not decode. */
  public static String undecodable(String type, Throwable failure) {
    Throwable reason = failure;
    for (Throwable e = failure; e != null; e = e.getCause()) {
      reason = e;
    }
    return "cannot be decoded by this JVM as " + type + ": " + reason.getMessage();
  }

  private void load(long at, long cell, Object key) {
    if (cells.bytes(cell) > MOST_VALUE) {
      findings.skipped("the value of " + key + " is too large to be decoded in this memory");
      return;
    }
    byte[] bytes = cells.load(cell, exclusive);
    decode(at, Encoded.ofBytes(bytes, bytes.length), key);
  }

  private void decode(long at, Encoded encoded, Object key) {
    Codec<?> known = codec;
    if (known != null) {
      try {
        Object value = new Coding<>(known).decode(encoded);
        if (leads) {
          ObjectReferences.follow(value, findings, at, key);
        }
      } catch (RuntimeException e) {
        if (isSound(e)) {
          findings.undecodable(at, key, undecodable(known.name(), e));
        } else {
          String message = "the value does not decode: " + reason(e);
          findings.problem("entry", at, String.valueOf(key), message);
          return;
        }
      }
    }
    if (findings.wantsEntries()) {
      findings.entry(at, key, RawCodecs.raw(encoded));
    }
  }

  /** Whether a word leads to a sound cell that nothing else owns, with all its parts. */
  boolean ownCell(long at, long cell, Object key) {
    try {
      if (allocator.type(cell) != BlockType.LARGE_VALUE_CELL) {
        return blocks.own(at, "the value of " + key, cell, BlockType.VALUE_CELL, 0);
      }
      long payload = Reference.payload(cell);
      if (!blocks.own(
          at, "the value of " + key, cell, BlockType.LARGE_VALUE_CELL, LargeValues.PARTS)) {
        return false;
      }
      boolean[] sound = {true};
      large.forEachPart(
          payload,
          payload + allocator.size(cell),
          part ->
              sound[0] &= blocks.own(payload, "a part of a value", part, BlockType.VALUE_PART, 0));
      return sound[0];
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem(
          "reference", at, null, "the value of " + key + ": " + String.valueOf(e.getMessage()));
      return false;
    }
  }
}
