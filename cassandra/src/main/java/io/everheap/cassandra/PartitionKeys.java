package io.everheap.cassandra;

import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.utils.bytecomparable.ByteComparable;
import org.apache.cassandra.utils.bytecomparable.ByteSource;
import org.apache.cassandra.utils.bytecomparable.ByteSourceInverse;

/** Positions of partitions as bytes, which have their order as unsigned numbers. */
final class PartitionKeys {
  private PartitionKeys() {}

  static byte[] encode(PartitionPosition position) {
    ByteSource bytes = position.asComparableBytes(ByteComparable.Version.OSS50);
    return ByteSourceInverse.readBytes(bytes);
  }
}
