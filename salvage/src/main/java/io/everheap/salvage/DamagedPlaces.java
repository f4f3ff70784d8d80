package io.everheap.salvage;

/** Tells which parts of a home image are in pages that do not match their checksums. */
interface DamagedPlaces {
  /** Whether a range of addresses overlaps such pages. */
  boolean contain(long address, long bytes);
}
