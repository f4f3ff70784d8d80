package io.everheap.codec.evolution;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.composite.CodecNames;
import io.everheap.codec.composite.CompositeCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values of a type that may change from one version of a program to the next: the number of the
 * version that wrote the value, from 0 on, as LEB128, then the value in the form of that version.
 * The name describes all versions, the oldest first.
 */
final class VersionsCodec<T extends @Nullable Object> extends CompositeCodec<T> {
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
    super(CodecNames.VERSIONS, versions.toArray(Codec<?>[]::new));
    this.readers = List.copyOf(readers);
    this.number = number;
    this.writer = writer;
  }

  /** The codec of a type that has no other version yet. */
  static <T extends @Nullable Object> Codec<T> ofOne(Codec<T> only) {
    return new VersionsCodec<>(List.of(only), List.of(only), 0, only);
  }

  /** What writes values, without their versions. */
  Codec<T> writer() {
    return writer;
  }

  /** Equal values of several versions have several encodings. */
  @Override
  protected boolean ordered() {
    return false;
  }

  @Override
  protected void encode(T value, CodecOutput out) {
    out.writeVarLong(number);
    writer.write(value, out);
  }

  @Override
  protected T decode(CodecInput in) {
    long version = in.readVarLong();
    if (version < 0 || version >= readers.size()) {
      throw in.corrupt(
          "found version " + version + " where there are " + readers.size() + " versions");
    }
    return readers.get((int) version).read(in);
  }
}
