package io.everheap.testkit;

import io.everheap.durable.Durable;
import org.jspecify.annotations.Nullable;

/** Somebody with a friend, in two versions of a program. */
interface Human<T extends Human<T>> {
  int age();

  void age(int value);

  @Nullable String name();

  void name(@Nullable String value);

  @Nullable T friend();

  void friend(@Nullable T value);

  /** As the first version has it. */
  @Durable(name = "town.Person")
  interface Person extends Human<Person> {}

  /** With fields that do not fit the place of older objects. */
  @Durable(name = "town.Person")
  interface LaterPerson extends Human<LaterPerson> {
    @Nullable Long score();

    void score(@Nullable Long value);

    @Nullable String note();

    void note(@Nullable String value);
  }
}
