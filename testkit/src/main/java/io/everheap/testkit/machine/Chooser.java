package io.everheap.testkit.machine;

import java.util.Random;

/** Decides which version of each unit survives a power loss. */
@FunctionalInterface
public interface Chooser {
  /**
   * Chooses a version of one unit.
   *
   * @param unit which unit, of those that differ from what is durable
   * @return 0 for the durable version, up to {@code unit.versions() - 1} for the newest
   */
  int choose(Unit unit);

  /**
   * A unit of a simulated machine that has more than one possible state after a power loss.
   *
   * @param index which one, from 0, in an order that depends on the state only
   * @param versions how many versions it has, at least 2
   * @param changed the number of the moment before its page changed last; 0 if that is not known
   * @param name what and where it is
   */
  record Unit(int index, int versions, long changed, String name) {
    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * Loses all that is not durable.
   *
   * @return the chooser
   */
  static Chooser none() {
    return unit -> 0;
  }

  /**
   * Keeps the newest version of everything.
   *
   * @return the chooser
   */
  static Chooser all() {
    return unit -> unit.versions() - 1;
  }

  /**
   * Keeps the newest version of one unit alone.
   *
   * @param index the unit
   * @return the chooser
   */
  static Chooser only(int index) {
    return unit -> unit.index() == index ? unit.versions() - 1 : 0;
  }

  /**
   * Loses one unit alone.
   *
   * @param index the unit
   * @return the chooser
   */
  static Chooser allBut(int index) {
    return unit -> unit.index() == index ? 0 : unit.versions() - 1;
  }

  /**
   * Chooses at random; how much survives differs with the seed as well.
   *
   * @param seed the same seed makes the same choices
   * @return a chooser for one power loss
   */
  static Chooser random(long seed) {
    var random = new Random(seed);
    int kept = random.nextInt(1, 16);
    return unit -> {
      if (unit.versions() > 2 && random.nextInt(4) == 0) {
        return random.nextInt(unit.versions());
      }
      return random.nextInt(16) < kept ? unit.versions() - 1 : 0;
    };
  }
}
