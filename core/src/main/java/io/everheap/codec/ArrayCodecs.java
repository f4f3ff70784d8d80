package io.everheap.codec;

import java.nio.ByteBuffer;

/**
 * The codecs of arrays of primitives: the number of elements, then all of them. They are canonical
 * in the sense of {@link java.util.Arrays#equals(long[], long[])}.
 */
final class ArrayCodecs {
  private ArrayCodecs() {}

  static final Codec<byte[]> BYTES =
      new ScalarCodec<>(
          "byte[]",
          (value, out) -> {
            out.writeVarInt(value.length);
            out.writeBytes(value, 0, value.length);
          },
          in -> in.readBytes(in.readLength()));

  static final Codec<boolean[]> BOOLEANS =
      new ScalarCodec<>(
          "boolean[]",
          (value, out) -> {
            out.writeVarInt(value.length);
            for (boolean element : value) {
              out.writeBoolean(element);
            }
          },
          in -> {
            boolean[] value = new boolean[in.readLength()];
            for (int i = 0; i < value.length; i++) {
              value[i] = in.readBoolean();
            }
            return value;
          });

  static final Codec<short[]> SHORTS =
      new ScalarCodec<>(
          "short[]",
          (value, out) -> append(value.length, 2, out).asShortBuffer().put(value),
          in -> {
            short[] value = new short[length(in, 2)];
            in.slice(2 * value.length).asShortBuffer().get(value);
            return value;
          });

  static final Codec<char[]> CHARS =
      new ScalarCodec<>(
          "char[]",
          (value, out) -> append(value.length, 2, out).asCharBuffer().put(value),
          in -> {
            char[] value = new char[length(in, 2)];
            in.slice(2 * value.length).asCharBuffer().get(value);
            return value;
          });

  static final Codec<int[]> INTS =
      new ScalarCodec<>(
          "int[]",
          (value, out) -> append(value.length, 4, out).asIntBuffer().put(value),
          in -> {
            int[] value = new int[length(in, 4)];
            in.slice(4 * value.length).asIntBuffer().get(value);
            return value;
          });

  static final Codec<long[]> LONGS =
      new ScalarCodec<>(
          "long[]",
          (value, out) -> append(value.length, 8, out).asLongBuffer().put(value),
          in -> {
            long[] value = new long[length(in, 8)];
            in.slice(8 * value.length).asLongBuffer().get(value);
            return value;
          });

  /** Element by element, so that every NaN has the same bytes. */
  static final Codec<float[]> FLOATS =
      new ScalarCodec<>(
          "float[]",
          (value, out) -> {
            out.writeVarInt(value.length);
            for (float element : value) {
              out.writeFloat(element);
            }
          },
          in -> {
            float[] value = new float[length(in, 4)];
            in.slice(4 * value.length).asFloatBuffer().get(value);
            return value;
          });

  /** Element by element, so that every NaN has the same bytes. */
  static final Codec<double[]> DOUBLES =
      new ScalarCodec<>(
          "double[]",
          (value, out) -> {
            out.writeVarInt(value.length);
            for (double element : value) {
              out.writeDouble(element);
            }
          },
          in -> {
            double[] value = new double[length(in, 8)];
            in.slice(8 * value.length).asDoubleBuffer().get(value);
            return value;
          });

  /** Appends the number of elements, and room for them. */
  private static ByteBuffer append(int length, int width, CodecOutput out) {
    out.writeVarInt(length);
    return out.append((long) width * length);
  }

  /** Reads the number of elements, all of which must remain. */
  private static int length(CodecInput in, int width) {
    int length = in.readLength();
    if (length > in.remaining() / width) {
      throw in.corrupt(
          "found " + length + " elements before the last " + in.remaining() + " bytes");
    }
    return length;
  }
}
