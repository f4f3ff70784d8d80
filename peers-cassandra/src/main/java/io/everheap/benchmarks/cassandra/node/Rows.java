package io.everheap.benchmarks.cassandra.node;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Date;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.cassandra.utils.TimeUUID;

/** The rows of the tables, and the statements on them: each row is a partition of its own. */
@SuppressWarnings("JavaUtilDate") // the node's type of times
final class Rows {
  private static final int VALUE = 100;

  private Rows() {}

  static String create(String table, String memtable) {
    return "CREATE TABLE IF NOT EXISTS b."
        + table
        + " (name text, choice boolean, date timestamp, address inet, dbl double, lval bigint,"
        + " ival int, uid timeuuid, value blob, PRIMARY KEY ((name, choice), date, address,"
        + " dbl, lval, ival, uid)) WITH memtable = '"
        + memtable
        + "'";
  }

  static String insert(String table) {
    return "INSERT INTO b."
        + table
        + " (name, choice, date, address, dbl, lval, ival, uid, value)"
        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
  }

  static String select(String table) {
    return "SELECT * FROM b." + table + " WHERE name = ? AND choice = ?";
  }

  /** The values of the key of a partition. */
  static Object[] key(int key) {
    return new Object[] {"name" + key, (key & 1) == 0};
  }

  /** The values of a row, as the node has them. */
  static Object[] row(int key, SplittableRandom random) throws UnknownHostException {
    byte[] value = new byte[VALUE];
    random.nextBytes(value);
    byte[] address = {10, (byte) (key >> 16), (byte) (key >> 8), (byte) key};
    return new Object[] {
      "name" + key,
      (key & 1) == 0,
      new Date(1_600_000_000_000L + key),
      InetAddress.getByAddress(address),
      (double) key,
      (long) key,
      key,
      TimeUUID.atUnixMicrosWithLsb(1_600_000_000_000_000L + key, key | Long.MIN_VALUE),
      ByteBuffer.wrap(value)
    };
  }

  /** A value of a row as the driver has it. */
  static Object driverValue(Object value) {
    return switch (value) {
      case Date date -> date.toInstant();
      case TimeUUID id -> new UUID(id.msb(), id.lsb());
      default -> value;
    };
  }
}
