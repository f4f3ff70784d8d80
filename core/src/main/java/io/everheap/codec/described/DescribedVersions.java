package io.everheap.codec.described;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.composite.CodecNames;
import io.everheap.codec.composite.CompositeCodec;
import java.util.List;

/**
 * A codec of values of several versions of a type, each in the described form of the version that
 * wrote it.
 */
public final class DescribedVersions extends CompositeCodec<Object> {
  private final List<Codec<Object>> versions;
  private final boolean keep;

  /** A value and the version that wrote it, to be written again in that form. */
  private record Versioned(int number, Object value) {}

  /**
   * Creates the codec.
   *
   * @param keep whether a value that is read keeps the number of its version, to be written again
   */
  DescribedVersions(List<Codec<Object>> versions, boolean keep) {
    super(CodecNames.VERSIONS, versions.toArray(Codec<?>[]::new));
    this.versions = List.copyOf(versions);
    this.keep = keep;
  }

  @Override
  protected boolean ordered() {
    return false;
  }

  @Override
  protected void encode(Object value, CodecOutput out) {
    if (value instanceof Versioned versioned) {
      out.writeVarLong(versioned.number);
      versions.get(versioned.number).write(versioned.value, out);
    } else {
      out.writeVarLong(versions.size() - 1L);
      versions.getLast().write(value, out);
    }
  }

  @Override
  protected Object decode(CodecInput in) {
    long number = in.readVarLong();
    if (number < 0 || number >= versions.size()) {
      throw in.corrupt("found version " + number + " of " + versions.size());
    }
    Object value = versions.get((int) number).read(in);
    return keep ? new Versioned((int) number, value) : value;
  }
}
