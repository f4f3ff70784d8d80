package io.everheap.codec.composite;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.error.CorruptValueException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Maps: all their keys, then all their values, in the order of their iterator. */
public final class MapCodec<K, V> extends CompositeCodec<Map<K, V>> {
  private final Codec<K> key;
  private final Codec<V> value;

  /** Creates the codec of maps with such keys and values. */
  public MapCodec(Codec<K> key, Codec<V> value) {
    super("map", key, value);
    this.key = key;
    this.value = value;
  }

  @Override
  public Codec<?> with(List<Codec<?>> others) {
    return new MapCodec<>(others.getFirst(), others.getLast());
  }

  @Override
  protected boolean ordered() {
    return false;
  }

  @Override
  protected void encode(Map<K, V> map, CodecOutput out) {
    List<K> keys = new ArrayList<>();
    List<V> values = new ArrayList<>();
    for (Map.Entry<K, V> entry : map.entrySet()) {
      keys.add(entry.getKey());
      values.add(entry.getValue());
    }
    Elements.write(keys.toArray(), key, out);
    Elements.write(values.toArray(), value, out);
  }

  @Override
  protected Map<K, V> decode(CodecInput in) {
    List<K> keys = Elements.read(key, in);
    List<V> values = Elements.read(value, in);
    if (keys.size() != values.size()) {
      throw new CorruptValueException(
          "a stored map has " + keys.size() + " keys and " + values.size() + " values");
    }
    Map<K, V> map = LinkedHashMap.newLinkedHashMap(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      map.put(keys.get(i), values.get(i));
    }
    return Collections.unmodifiableMap(map);
  }
}
