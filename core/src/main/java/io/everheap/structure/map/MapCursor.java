package io.everheap.structure.map;

import io.everheap.structure.common.Encoded;
import org.jspecify.annotations.Nullable;

/**
 * Walks over a range of a map's groups, one entry at a time: copied under validation, decoded when
 * asked for. Used by one thread.
 */
public final class MapCursor {
  private final GroupReader reader;
  private long nextGroup;
  private final long end;
  private GroupReader.@Nullable Group group;
  private int position;

  public MapCursor(GroupReader reader, long firstGroup, long end) {
    this.reader = reader;
    this.nextGroup = firstGroup;
    this.end = end;
  }

  /** Moves to the next entry; false when there is none. */
  public boolean advance() {
    GroupReader.Group current = group;
    position++;
    while (current == null || position >= current.keys.size()) {
      if (nextGroup >= end) {
        group = null;
        return false;
      }
      current = reader.read(nextGroup++);
      group = current;
      position = 0;
    }
    return true;
  }

  /** The key of the current entry. */
  public Encoded key() {
    return current().keys.get(position);
  }

  /** The value of the current entry; only if the reader copies values. */
  public Encoded value() {
    return current().values.get(position);
  }

  private GroupReader.Group current() {
    GroupReader.Group current = group;
    if (current == null) {
      throw new IllegalStateException("no current entry");
    }
    return current;
  }

  /** Groups that were not loaded yet. */
  public long groupsLeft() {
    return end - nextGroup;
  }

  /** Gives the first half of the groups that were not loaded yet to another cursor, if it can. */
  public @Nullable MapCursor split() {
    long half = groupsLeft() >>> 1;
    if (half == 0) {
      return null;
    }
    MapCursor prefix = new MapCursor(reader, nextGroup, nextGroup + half);
    nextGroup += half;
    return prefix;
  }
}
