package io.everheap.codec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values of a type that may change from one version of a program to the next: the number of the
 * version that wrote the value, from 0 on, as LEB128, then the value in the form of that version.
 * The name describes all versions, the oldest first.
 */
final class VersionsCodec<T extends @Nullable Object> extends StructuredCodec<T> {
  static final String HEAD = "versions";

  private final List<Codec<?>> versions;
  private final List<Codec<T>> readers;
  private final Codec<T> writer;
  private final int number;

  /**
   * Creates a codec.
   *
   * @param versions for the name
   * @param readers of values, as many as versions
   * @param number of the version that writes
   * @param writer of values
   */
  VersionsCodec(List<Codec<?>> versions, List<Codec<T>> readers, int number, Codec<T> writer) {
    this.versions = List.copyOf(versions);
    this.readers = List.copyOf(readers);
    this.number = number;
    this.writer = writer;
  }

  /** What writes values, without their versions. */
  Codec<T> writer() {
    return writer;
  }

  /** All versions, the oldest first. */
  List<Codec<?>> versions() {
    return versions;
  }

  @Override
  String head() {
    return HEAD;
  }

  @Override
  List<Codec<?>> parts() {
    return versions;
  }

  /** Equal values of several versions have several encodings. */
  @Override
  boolean ordered() {
    return false;
  }

  @Override
  void encode(T value, CodecOutput out) {
    out.writeVarLong(number);
    writer.write(value, out);
  }

  @Override
  T decode(CodecInput in) {
    long version = in.readVarLong();
    if (version < 0 || version >= readers.size()) {
      throw in.corrupt(
          "found version " + version + " where there are " + readers.size() + " versions");
    }
    return readers.get((int) version).read(in);
  }
}
