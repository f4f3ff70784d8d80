package io.everheap.benchmarks.store;

import io.everheap.durable.Durable;
import org.jspecify.annotations.Nullable;

/** A record of YCSB as a durable object: a field for each of its ten; those not used are null. */
@Durable
public interface DurableRecord {
  /** How many fields there are. */
  int FIELDS = 10;

  /**
   * Reads a field by its number.
   *
   * @param number of the field
   * @return its value; {@code null} if it is not used
   */
  default byte @Nullable [] get(int number) {
    return switch (number) {
      case 0 -> field0();
      case 1 -> field1();
      case 2 -> field2();
      case 3 -> field3();
      case 4 -> field4();
      case 5 -> field5();
      case 6 -> field6();
      case 7 -> field7();
      case 8 -> field8();
      case 9 -> field9();
      default -> throw new IndexOutOfBoundsException(number);
    };
  }

  /**
   * Replaces a field by its number.
   *
   * @param number of the field
   * @param value its value from now on
   */
  default void set(int number, byte[] value) {
    switch (number) {
      case 0 -> field0(value);
      case 1 -> field1(value);
      case 2 -> field2(value);
      case 3 -> field3(value);
      case 4 -> field4(value);
      case 5 -> field5(value);
      case 6 -> field6(value);
      case 7 -> field7(value);
      case 8 -> field8(value);
      case 9 -> field9(value);
      default -> throw new IndexOutOfBoundsException(number);
    }
  }

  /** Field 0. */
  byte @Nullable [] field0();

  /** Replaces field 0. */
  void field0(byte[] value);

  /** Field 1. */
  byte @Nullable [] field1();

  /** Replaces field 1. */
  void field1(byte[] value);

  /** Field 2. */
  byte @Nullable [] field2();

  /** Replaces field 2. */
  void field2(byte[] value);

  /** Field 3. */
  byte @Nullable [] field3();

  /** Replaces field 3. */
  void field3(byte[] value);

  /** Field 4. */
  byte @Nullable [] field4();

  /** Replaces field 4. */
  void field4(byte[] value);

  /** Field 5. */
  byte @Nullable [] field5();

  /** Replaces field 5. */
  void field5(byte[] value);

  /** Field 6. */
  byte @Nullable [] field6();

  /** Replaces field 6. */
  void field6(byte[] value);

  /** Field 7. */
  byte @Nullable [] field7();

  /** Replaces field 7. */
  void field7(byte[] value);

  /** Field 8. */
  byte @Nullable [] field8();

  /** Replaces field 8. */
  void field8(byte[] value);

  /** Field 9. */
  byte @Nullable [] field9();

  /** Replaces field 9. */
  void field9(byte[] value);
}
