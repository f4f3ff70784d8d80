package io.everheap.memory;

import java.util.List;
import java.util.function.Consumer;

/** Those files of a medium whose names end in a certain way, without that end. */
public final class RenamedMedium extends MediumView {
  private final String suffix;

  /**
   * Creates the view; closing it does not close the medium.
   *
   * @param suffix of the names; empty for all files
   */
  public RenamedMedium(Medium medium, String suffix) {
    super(medium);
    this.suffix = suffix;
  }

  @Override
  String in(String name) {
    return name + suffix;
  }

  @Override
  public List<String> list(String directory) {
    return medium.list(directory).stream()
        .filter(name -> name.endsWith(suffix))
        .map(name -> name.substring(0, name.length() - suffix.length()))
        .toList();
  }

  @Override
  public void syncDirectory(String directory) {
    medium.syncDirectory(directory);
  }

  @Override
  public void requireIntact() {
    medium.requireIntact();
  }

  @Override
  public Watch watch(Runnable further, Consumer<Throwable> onFailure) {
    return medium.watch(further, onFailure);
  }
}
