package io.everheap.codec.evolution;

import io.everheap.codec.composite.DeclaredType.Member;
import io.everheap.codec.composite.Label;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Matches the members of a class with those of earlier versions of it. */
final class Labels {
  private Labels() {}

  /**
   * Gives each member the id that it has in earlier versions. If one version has the same names in
   * the same order, its labels are taken, those of the newest such version. Else a member is looked
   * for by its present name, then by its former ones, from the newest version to the oldest; a
   * member that the newest version has under another name is not taken. Last, a stored member of
   * which a member's name is a former name is taken: the program may be older than the heap. A
   * member that is not found gets a new id.
   *
   * @param versions the labels of their members, the oldest version first
   * @param members of the class
   * @return the labels of the members
   */
  static List<Label> match(List<List<Label>> versions, List<Member> members) {
    List<String> names = members.stream().map(Member::name).toList();
    for (List<Label> version : versions.reversed()) {
      if (version.stream().map(Label::name).toList().equals(names)) {
        return version;
      }
    }
    List<Label> newest = versions.isEmpty() ? List.of() : versions.getLast();
    Set<Integer> taken = new HashSet<>();
    int[] ids = new int[members.size()];
    for (boolean renamed : new boolean[] {true, false}) {
      for (int i = 0; i < ids.length; i++) {
        Member member = members.get(i);
        boolean isRenamed = !member.formerly().isEmpty() && find(newest, member.name()) == null;
        if (isRenamed == renamed) {
          ids[i] = id(versions, member, taken);
          taken.add(ids[i]);
        }
      }
    }
    for (int i = 0; i < ids.length; i++) {
      ids[i] = ids[i] != 0 ? ids[i] : laterId(versions, names.get(i), taken);
      taken.add(ids[i]);
    }
    int next = 1 + versions.stream().flatMap(List::stream).mapToInt(Label::id).max().orElse(0);
    List<Label> labels = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      Member member = members.get(i);
      labels.add(new Label(member.name(), member.kept(), ids[i] != 0 ? ids[i] : next++));
    }
    return labels;
  }

  /** The id of a member that an earlier version has, or 0. */
  private static int id(List<List<Label>> versions, Member member, Set<Integer> taken) {
    List<String> names = new ArrayList<>(List.of(member.name()));
    names.addAll(member.formerly());
    for (String name : names) {
      for (int v = versions.size() - 1; v >= 0; v--) {
        Label label = find(versions.get(v), name);
        if (label != null && !taken.contains(label.id())) {
          boolean renamedSince = v < versions.size() - 1 && has(versions.getLast(), label.id());
          if (!renamedSince) {
            return label.id();
          }
        }
      }
    }
    return 0;
  }

  /** The id of a stored member that has this name as a former one, or 0. */
  private static int laterId(List<List<Label>> versions, String name, Set<Integer> taken) {
    for (List<Label> version : versions.reversed()) {
      for (Label label : version) {
        if (label.formerly().contains(name) && !taken.contains(label.id())) {
          return label.id();
        }
      }
    }
    return 0;
  }

  private static boolean has(List<Label> labels, int id) {
    return labels.stream().anyMatch(label -> label.id() == id);
  }

  /** The label with a name, or null. */
  private static @Nullable Label find(List<Label> labels, String name) {
    return labels.stream().filter(label -> label.name().equals(name)).findFirst().orElse(null);
  }

  /** The position of a member among others, or -1. */
  static int position(List<Label> labels, int id) {
    for (int i = 0; i < labels.size(); i++) {
      if (labels.get(i).id() == id) {
        return i;
      }
    }
    return -1;
  }
}
