package io.everheap.codec;

import java.util.List;

/** The bytes of {@link VersionsCodec}; values are as the version that wrote them describes them. */
final class DescribedVersions extends StructuredCodec<Object> {
  private final List<Codec<Object>> versions;
  private final boolean keep;

  /** A value and the version that wrote it, for what reads values and writes them again. */
  private record Versioned(int number, Object value) {}

  /**
   * Creates the codec.
   *
   * @param keep whether values are read as ones that can be written again
   */
  DescribedVersions(List<Codec<Object>> versions, boolean keep) {
    this.versions = List.copyOf(versions);
    this.keep = keep;
  }

  /** The versions, the oldest first. */
  List<Codec<Object>> versions() {
    return versions;
  }

  @Override
  String head() {
    return VersionsCodec.HEAD;
  }

  @Override
  List<Codec<?>> parts() {
    return List.copyOf(versions);
  }

  @Override
  boolean ordered() {
    return false;
  }

  @Override
  void encode(Object value, CodecOutput out) {
    if (value instanceof Versioned versioned) {
      out.writeVarLong(versioned.number);
      versions.get(versioned.number).write(versioned.value, out);
    } else {
      out.writeVarLong(versions.size() - 1L);
      versions.getLast().write(value, out);
    }
  }

  @Override
  Object decode(CodecInput in) {
    long number = in.readVarLong();
    if (number < 0 || number >= versions.size()) {
      throw in.corrupt("found version " + number + " of " + versions.size());
    }
    Object value = versions.get((int) number).read(in);
    return keep ? new Versioned((int) number, value) : value;
  }
}
