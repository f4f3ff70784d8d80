package io.everheap.codec.ordered;

import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.OrderedBytes;
import io.everheap.error.TooLargeException;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Numbers of any size as ordered bytes.
 *
 * <p>A {@link BigInteger} is the number of its bytes, negative for a negative value, then the bytes
 * in two's complement: more bytes are farther from zero.
 *
 * <p>A {@link BigDecimal} is written as 0.d1d2d3... times a power of ten, without zeros at the end,
 * so that numbers that {@code compareTo} calls equal have the same bytes, and are read with the
 * scale that {@code stripTrailingZeros} leaves: the sign (0, 1, 2), the exponent, the digits, two
 * in a byte. A negative number has the complement of exponent and digits, and a byte of ones at the
 * end: of two that begin alike, the one with more digits comes first.
 */
final class OrderedNumbers {
  private static final int NEGATIVE = 0;
  private static final int ZERO = 1;
  private static final int POSITIVE = 2;
  private static final int END = 0xFF;

  /** Most zeros that raise a scale: a few bytes must not make a number of hundreds of megabytes. */
  private static final int MAX_ZEROS = 1 << 20;

  private OrderedNumbers() {}

  static void write(BigInteger value, CodecOutput out) {
    byte[] bytes = value.toByteArray();
    OrderedBytes.writeInt(value.signum() < 0 ? -bytes.length : bytes.length, out);
    out.writeBytes(bytes, 0, bytes.length);
  }

  static BigInteger readInteger(CodecInput in) {
    int length = OrderedBytes.readInt(in);
    if (length == 0 || length == Integer.MIN_VALUE || Math.abs(length) > in.remaining()) {
      throw in.corrupt("found a number of " + length + " bytes");
    }
    return new BigInteger(in.readBytes(Math.abs(length)));
  }

  static void write(BigDecimal value, CodecOutput out) {
    int sign = value.signum();
    if (sign == 0) {
      out.writeByte(ZERO);
      return;
    }
    String digits = value.unscaledValue().abs().toString();
    int length = digits.length();
    long exponent = (long) length - value.scale();
    while (digits.charAt(length - 1) == '0') {
      length--;
    }
    if (zeros(length - exponent) > MAX_ZEROS) {
      throw TooLargeException.value(
          "a decimal number has more than "
              + MAX_ZEROS
              + " zeros after its other digits, and the"
              + " least possible scale");
    }
    out.writeByte(sign < 0 ? NEGATIVE : POSITIVE);
    OrderedBytes.writeLong(sign < 0 ? ~exponent : exponent, out);
    for (int i = 0; i < length; i += 2) {
      int low = i + 1 < length ? digits.charAt(i + 1) - '0' : 0;
      int pair = 10 * (digits.charAt(i) - '0') + low + 1;
      out.writeByte(sign < 0 ? END - pair : pair);
    }
    if (sign < 0) {
      out.writeByte(END);
    }
  }

  static BigDecimal readDecimal(CodecInput in) {
    int sign = in.readByte();
    if (sign == ZERO) {
      return BigDecimal.ZERO;
    }
    long exponent = OrderedBytes.readLong(in);
    int length = in.remaining() - (sign == NEGATIVE ? 1 : 0);
    if ((sign != NEGATIVE && sign != POSITIVE) || length < 1) {
      throw in.corrupt("found a number of sign " + sign + " and " + length + " bytes");
    }
    char[] digits = new char[2 * length];
    for (int i = 0; i < length; i++) {
      int b = in.readByte() & 0xFF;
      int pair = (sign == NEGATIVE ? END - b : b) - 1;
      if (pair < 0 || pair > 99) {
        throw in.corrupt("found no digits but " + b);
      }
      digits[2 * i] = (char) ('0' + pair / 10);
      digits[2 * i + 1] = (char) ('0' + pair % 10);
    }
    if (sign == NEGATIVE && (in.readByte() & 0xFF) != END) {
      throw in.corrupt("found a negative number without an end");
    }
    int used = digits[2 * length - 1] == '0' ? 2 * length - 1 : 2 * length;
    BigInteger unscaled = new BigInteger(new String(digits, 0, used));
    long power = sign == NEGATIVE ? ~exponent : exponent;
    if (Math.abs(power / 4) > Integer.MAX_VALUE || zeros(used - power) > MAX_ZEROS) {
      throw in.corrupt("found a number with the exponent " + power);
    }
    return decimal(used - power, sign == NEGATIVE ? unscaled.negate() : unscaled);
  }

  /** How many zeros raise a scale to the least possible one. */
  private static long zeros(long scale) {
    return Integer.MIN_VALUE - scale;
  }

  /** A scale below the least possible one is raised by zeros at the end. */
  private static BigDecimal decimal(long scale, BigInteger unscaled) {
    if (scale >= Integer.MIN_VALUE) {
      return new BigDecimal(unscaled, Math.toIntExact(scale));
    }
    int zeros = Math.toIntExact(zeros(scale));
    return new BigDecimal(unscaled.multiply(BigInteger.TEN.pow(zeros)), Integer.MIN_VALUE);
  }
}
