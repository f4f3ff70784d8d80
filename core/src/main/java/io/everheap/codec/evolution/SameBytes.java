package io.everheap.codec.evolution;

import io.everheap.codec.Codec;
import io.everheap.codec.composite.CompositeCodec;
import io.everheap.codec.composite.DeclaredType.Member;
import io.everheap.codec.composite.EnumCodec;
import io.everheap.codec.composite.Label;
import io.everheap.codec.composite.RecordCodec;
import io.everheap.codec.composite.SealedCodec;
import io.everheap.codec.described.DescribedEnum;
import io.everheap.codec.described.DescribedRecord;
import io.everheap.codec.described.DescribedSealed;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Checks that the codec of a program writes the same bytes as the stored one did, for all values of
 * the stored type: only then are keys found by their bytes. Names may differ, and constants and
 * classes may be added where they change no bytes.
 */
final class SameBytes {
  private final List<String> differences;
  private final Set<Pair> seen = new HashSet<>();

  private record Pair(Codec<?> stored, Codec<?> wanted) {}

  /**
   * A comparison.
   *
   * @param differences gets a line for each thing that changes bytes
   */
  SameBytes(List<String> differences) {
    this.differences = differences;
  }

  /**
   * Compares two codecs and their parts.
   *
   * @param where they are, for the message; empty at the top
   */
  void compare(Codec<?> stored, Codec<?> wanted, String where) {
    if (!seen.add(new Pair(stored, wanted))) {
      return;
    }
    boolean former = TypeMatch.isEarlier(stored, wanted);
    if (former && stored instanceof DescribedRecord of && wanted instanceof RecordCodec<?> to) {
      record(of, to);
    } else if (former
        && stored instanceof DescribedSealed of
        && wanted instanceof SealedCodec<?> to) {
      sealed(of, to);
    } else if (former && stored instanceof DescribedEnum of && wanted instanceof EnumCodec<?> to) {
      enumeration(of, to);
    } else if (TypeMatch.haveLikeParts(stored, wanted)) {
      var of = (CompositeCodec<?>) stored;
      var to = (CompositeCodec<?>) wanted;
      for (int i = 0; i < of.parts().size(); i++) {
        compare(of.parts().get(i), to.parts().get(i), where);
      }
    } else if (!stored.name().equals(wanted.name())) {
      differences.add(
          TypeMatch.difference(where, stored, "", wanted)
              + (where.isEmpty() ? "" : "; keys are found by their bytes"));
    }
  }

  private void record(DescribedRecord stored, RecordCodec<?> wanted) {
    List<Member> members = wanted.members();
    if (stored.labels().size() != members.size()) {
      differences.add(
          String.format(
              Locale.ROOT,
              "record %s has %d components, stored keys have %d; keys are found by their bytes",
              wanted.type(),
              members.size(),
              stored.labels().size()));
      return;
    }
    for (int i = 0; i < members.size(); i++) {
      Label label = stored.labels().get(i);
      String where = "component " + label.name() + " of " + stored.type();
      if (!isSame(label, members.get(i))) {
        differences.add(where + ": wanted " + members.get(i).name() + " in its place");
      } else if (stored.components().get(i).nullable() != wanted.components().get(i).nullable()) {
        differences.add(where + ": in keys it must stay primitive or stay nullable");
      } else {
        compare(stored.parts().get(i), wanted.parts().get(i), where);
      }
    }
  }

  private void sealed(DescribedSealed stored, SealedCodec<?> wanted) {
    List<String> tags = wanted.members().stream().map(Member::name).toList();
    for (int i = 0; i < stored.labels().size(); i++) {
      String tag = stored.labels().get(i).name();
      String where = "class " + tag + " of " + stored.type();
      int target = tags.indexOf(tag);
      if (target < 0) {
        differences.add(where + ": keys need a class of this simple name");
      } else {
        compare(stored.parts().get(i), wanted.parts().get(target), where);
      }
    }
  }

  private void enumeration(DescribedEnum stored, EnumCodec<?> wanted) {
    List<Member> members = wanted.members();
    for (int i = 0; i < stored.labels().size(); i++) {
      Label label = stored.labels().get(i);
      if (i >= members.size() || !isSame(label, members.get(i))) {
        differences.add(
            String.format(
                Locale.ROOT,
                "constant %s of %s: keys need it in its place; add others at the end",
                label.name(),
                stored.type()));
      }
    }
  }

  private static boolean isSame(Label stored, Member wanted) {
    return stored.name().equals(wanted.name())
        || wanted.formerly().contains(stored.name())
        || stored.formerly().contains(wanted.name());
  }
}
