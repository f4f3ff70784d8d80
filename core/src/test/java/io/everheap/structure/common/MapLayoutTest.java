package io.everheap.structure.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.tx.Stripes;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The arithmetic of linear hashing and of the layouts. */
class MapLayoutTest {
  @Property
  void aBucketExists(@ForAll long hash, @ForAll @LongRange(min = 8, max = 1L << 39) long buckets) {
    assertThat(MapLayout.bucket(hash, buckets)).isBetween(0L, buckets - 1);
  }

  @Property
  void oneMoreBucketTakesHashesFromOneOldBucketOnly(
      @ForAll long hash, @ForAll @LongRange(min = 8, max = 1L << 20) long buckets) {
    long before = MapLayout.bucket(hash, buckets);
    long after = MapLayout.bucket(hash, buckets + 1);
    if (after != before) {
      assertThat(after).isEqualTo(buckets);
      assertThat(before).isEqualTo(buckets - Long.highestOneBit(buckets));
    }
  }

  @Property
  void hashesOfABucketShareAStripeFromSixtyFourBucketsOn(
      @ForAll long hash, @ForAll @LongRange(min = 64, max = 1L << 30) long buckets) {
    int stripe = MapLayout.stripe(0, hash);
    assertThat((int) MapLayout.bucket(hash, buckets) & 63).isEqualTo(stripe);
  }

  @Property
  void theFirstSegmentHoldsWhatIsNeededAndNoMoreThanTwice(
      @ForAll @IntRange(min = 8, max = 512) int buckets) {
    int capacity = MapLayout.segmentCapacity(0, buckets);
    assertThat(capacity).isBetween(buckets, Math.max(8, 2 * buckets - 1));
    assertThat(Integer.bitCount(capacity)).isEqualTo(1);
  }

  @Test
  void laterSegmentsAreFull() {
    assertThat(MapLayout.segmentCapacity(1, 513)).isEqualTo(512);
    assertThat(MapLayout.segmentCapacity(0, 513)).isEqualTo(512);
    assertThat(MapLayout.segments(512)).isEqualTo(1);
    assertThat(MapLayout.segments(513)).isEqualTo(2);
  }

  @Property
  void stripesLieInTheTable(@ForAll @LongRange(min = 0, max = 1L << 44) long header) {
    int base = MapLayout.stripeBase(header & -16);
    assertThat(base % 64).isZero();
    assertThat(base).isBetween(0, Stripes.COUNT - 64);
  }

  @Property
  void aLinkKeepsTheTagAndTheNode(
      @ForAll long hash, @ForAll @LongRange(min = 1, max = (1L << 40) - 1) long unit) {
    long link = NodeLayout.link(hash, unit * 16);
    assertThat(NodeLayout.node(link)).isEqualTo(unit * 16);
    assertThat(NodeLayout.tagMatches(link, hash)).isTrue();
    assertThat(NodeLayout.tagMatches(link, hash ^ 1L << 40)).isFalse();
    assertThat(NodeLayout.tagMatches(link, hash ^ 1L << 39)).isTrue();
  }

  @Property
  void lengthsComeBack(@ForAll int key, @ForAll int value) {
    long lengths = NodeLayout.lengths(key, value);
    assertThat(NodeLayout.keyBytes(lengths)).isEqualTo(key);
    assertThat(NodeLayout.valueBytes(lengths)).isEqualTo(value);
  }

  @Test
  void aNodeOfTwoWordsTakesThirtyTwoBytes() {
    assertThat(NodeLayout.WORDS_BYTES + 8).isEqualTo(32);
    assertThat(MapLayout.HEADER_BYTES + 8).isEqualTo(64);
  }
}
