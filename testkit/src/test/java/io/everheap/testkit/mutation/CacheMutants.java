package io.everheap.testkit.mutation;

import io.everheap.testkit.mutation.Change.Answer;
import java.util.List;

/**
 * The mutants of the cache, by the guarantees of docs/cache.md. Not among them is what something
 * else guards as well: that the larger sequence wins when both entries of a key are found, since
 * the put of one of them did not return, or it is on the list of removals.
 */
final class CacheMutants extends MutantList {
  private CacheMutants() {
    super("cache.", "CacheScenarios.");
  }

  static List<Mutant> all() {
    var mutants = new CacheMutants();
    mutants.whole();
    mutants.gone();
    mutants.recovery();
    mutants.space();
    return mutants.added();
  }

  private static Change answer(int value) {
    return new Answer(value);
  }

  private void whole() {
    add(
        "K1",
        "the checksum of a recovered block is not compared",
        "store.Contents",
        "isWhole",
        answer(1),
        "damagedBlocksAreMisses");
    add(
        "K1",
        "the check of a slot is not compared",
        "format.SlotLayout",
        "valid",
        answer(1),
        "damagedSlotsAreDropped");
    add(
        "K1",
        "nothing is forced on byte-addressable storage",
        "store.CacheFile",
        "forceDirectly",
        answer(0),
        "dax");
  }

  private void gone() {
    add(
        "K2",
        "a replaced entry does not end",
        "store.Entries",
        "enter",
        drop("Entries", "unlink"),
        "file",
        "dax");
    add(
        "K2",
        "strict mode does not force the end of an entry",
        "store.Durability",
        "forceEnds",
        answer(0),
        "strict");
    add(
        "K2",
        "strict mode forgets where entries ended",
        "store.Entries",
        "unlink",
        drop("Durability", "ended"),
        "strict");
    add(
        "K2",
        "strict mode does not force the end of an entry that a lookup found expired",
        "store.Lookups",
        "isInTime",
        drop("Durability", "forceEnds"),
        "anExpiredEntryStaysAwayIfTheClockGoesBack");
    add(
        "K2",
        "strict mode does not force the ends of entries that the upkeep found expired",
        "store.Invalidations",
        "expire",
        drop("Durability", "forceAllEnds"),
        "anExpiredEntryStaysAwayIfTheClockGoesBack");
    add(
        "K2",
        "after a power loss entries count that were not synced",
        "store.Epoch",
        "begin",
        drop("List", "add"),
        "file");
    add(
        "K2",
        "strict mode begins before what a killed process left is durable",
        "store.Epoch",
        "begin",
        drop("List", "forEach"),
        "whatAKilledProcessLeftIsDurableInStrictMode");
    add(
        "K2",
        "a sync does not sync the files",
        "store.Durability",
        "lambda$syncWhatChanged$",
        drop("List", "forEach"),
        "file");
    add(
        "K2",
        "an invalidation of all entries is not in the superblock",
        "store.Invalidations",
        "lambda$dropBefore$",
        drop("Superblocks", "update"),
        "allAreInvalidatedDurably");
    add(
        "K2",
        "changes of a cache go on after a failed sync",
        "store.Turn",
        "fail",
        answer(0),
        "nothingIsChangedAfterAFailedSync");
  }

  private void recovery() {
    add(
        "K3",
        "recovery does not force the tables that it reads",
        "store.Recovery",
        "read",
        drop("CacheFile", "forceDirectly"),
        "whatRecoveryReadIsDurable");
    add(
        "K3",
        "a put during a recovery is not in the map of removals",
        "store.Entries",
        "publish",
        drop("Removals", "rememberAll"),
        "aPutDuringARecoveryReplacesWhatIsNotKnown");
    add(
        "K3",
        "a removal during a recovery covers what it found alone",
        "store.Invalidations",
        "lambda$remove$",
        drop("Removals", "rememberAll"),
        "aRemovalOutlivesARecoveryThatDidNotEnd");
    add(
        "K3",
        "the end of an entry that a crash left twice is not durable in the map of removals",
        "store.Removals",
        "rememberEnd",
        drop("CacheFile", "force"),
        "theEndOfAnEntryThatACrashLeftTwiceIsThatOfBoth");
    add(
        "K3",
        "what a recovery that did not end has synced counts as found once",
        "store.Epoch",
        "settled",
        drop("State", "has"),
        "theEndOfAnEntryThatACrashLeftTwiceIsThatOfBoth");
    add(
        "K3",
        "recovery does not heed the map of removals",
        "store.RemovalMap",
        "covers",
        answer(0),
        "file",
        "dax",
        "strict");
    add(
        "K3",
        "recovery does not heed what the one before left in the map of removals",
        "store.RemovalMap",
        "isSet",
        answer(0),
        "aRemovalOutlivesARecoveryThatDidNotEnd");
    add(
        "K3",
        "the map of removals is void before what it names ended durably",
        "store.Recovery",
        "complete",
        drop("Durability", "sync"),
        "strict",
        "file");
  }

  private void space() {
    add(
        "K4",
        "the block of a pinned entry is given back",
        "table.Pins",
        "retire",
        answer(1),
        "whatIsPinnedStays");
    add(
        "K4",
        "a damaged segment is used before its zeros are durable",
        "store.Segment",
        "fill",
        drop("CacheFile", "syncWrites"),
        "aDamagedSegmentStaysEmpty");
    add(
        "K4",
        "a segment is used before its space is taken",
        "store.CacheFile",
        "fill",
        answer(0),
        "aFullDiskIsASmallerCache");
  }
}
