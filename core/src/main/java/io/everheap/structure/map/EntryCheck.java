package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.NodeStore;
import io.everheap.structure.common.ObjectReferences;
import io.everheap.structure.common.RawCodecs;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.ValueCheck;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Checks the entries of one map, chain by chain. */
public final class EntryCheck {
  /** Values beyond this part of the Java heap are not decoded. */
  private static final long MOST_VALUE = Runtime.getRuntime().maxMemory() / 8;

  private static final int MOST_KEY_TEXT = 80;

  /** Keys of a chain that a later one is compared with; only damage makes chains that long. */
  private static final int MOST_COMPARED = 1024;

  private final StructureFindings findings;
  private final HashTable table;
  private final NodeStore nodes;
  private final MapInfo info;
  private @Nullable Codec<?> keys;
  private @Nullable Codec<?> values;
  private boolean keysLead;
  private boolean valuesLead;

  /** Hashes and nodes of the chain so far. */
  private long[] chain = new long[16];

  private int length;
  private long node;
  private long hash;
  private Encoded key = Encoded.NOTHING;

  EntryCheck(StructureFindings findings, HashTable table, MapInfo info) {
    this.findings = findings;
    this.table = table;
    this.nodes = table.nodes();
    this.info = info;
  }

  void decodeWith(@Nullable Codec<?> keyCodec, @Nullable Codec<?> valueCodec) {
    keys = keyCodec;
    values = valueCodec;
    keysLead = ObjectReferences.mayHave(keyCodec);
    valuesLead = ObjectReferences.mayHave(valueCodec);
  }

  void beginChain() {
    length = 0;
  }

  /** Loads the key of a node that lies in its block; false if its hash is not that of the link. */
  boolean load(long at, long link) {
    node = at;
    key = nodes.key(at, info.wordKeys(), table.exclusive());
    hash = key.hash(table.hash());
    return NodeLayout.tagMatches(link, hash);
  }

  /** Checks the node that was loaded last, which is now one of the chain. */
  void check(BlockCheck blocks, long bucket, long buckets) {
    String text = decoded("key", keys, key, null);
    boolean sound = text != null;
    if (text == null) {
      text = RawCodecs.text(RawCodecs.raw(key));
    }
    if (MapLayout.bucket(hash, buckets) != bucket) {
      String message =
          "the key belongs into bucket " + MapLayout.bucket(hash, buckets) + ", not " + bucket;
      findings.problem(MapVerifier.node(), node, text, message);
    }
    if (isTwice()) {
      findings.problem(MapVerifier.node(), node, text, "the key is there twice");
      sound = false;
    }
    sound &= blocks.ownParts(nodes, node, text);
    if (sound && (values != null || findings.wantsEntries())) {
      checkValue(text);
    }
  }

  private void checkValue(String text) {
    if (nodes.valueBytes(node) > MOST_VALUE) {
      findings.skipped("the value of key " + text + " is too large to be decoded in this memory");
      return;
    }
    Encoded value = nodes.value(node, table.exclusive());
    if (decoded("value", values, value, text) != null && findings.wantsEntries()) {
      findings.entry(node, RawCodecs.raw(key), RawCodecs.raw(value));
    }
  }

  /** The value as text, or null after a problem was reported. */
  private @Nullable String decoded(
      String part, @Nullable Codec<?> codec, Encoded encoded, @Nullable String of) {
    if (codec == null) {
      return RawCodecs.text(RawCodecs.raw(encoded));
    }
    try {
      Object value = new Coding<>(codec).decode(encoded);
      if (of == null ? keysLead : valuesLead) {
        Object name = of == null ? RawCodecs.text(RawCodecs.raw(encoded)) : of;
        ObjectReferences.follow(value, findings, node, name);
      }
      return of == null ? text(value, encoded) : "";
    } catch (RuntimeException e) {
      if (ValueCheck.isSound(e)) {
        String raw = of == null ? RawCodecs.text(RawCodecs.raw(encoded)) : of;
        findings.undecodable(node, raw, ValueCheck.undecodable(codec.name(), e));
        return raw;
      }
      String key = of == null ? RawCodecs.text(RawCodecs.raw(encoded)) : of;
      findings.problem(
          "entry", node, key, "the " + part + " does not decode: " + ValueCheck.reason(e));
      return null;
    }
  }

  private static String text(@Nullable Object value, Encoded encoded) {
    if (value == null || value.getClass().isArray()) {
      return RawCodecs.text(RawCodecs.raw(encoded));
    }
    String text = value.toString();
    return text.length() <= MOST_KEY_TEXT ? text : text.substring(0, MOST_KEY_TEXT) + "...";
  }

  /** Whether the chain had this key before; compares the keys only of equal hashes. */
  private boolean isTwice() {
    boolean twice = false;
    for (int i = 0; i < length && !twice; i += 2) {
      twice =
          chain[i] == hash
              && nodes.key(chain[i + 1], info.wordKeys(), table.exclusive()).sameAs(key);
    }
    if (length >= 2 * MOST_COMPARED) {
      return twice;
    }
    if (length == chain.length) {
      chain = Arrays.copyOf(chain, 2 * length);
    }
    chain[length++] = hash;
    chain[length++] = node;
    return twice;
  }
}
