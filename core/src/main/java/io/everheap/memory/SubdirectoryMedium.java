package io.everheap.memory;

import java.util.List;

/** A directory of a medium as a medium of its own, without a lock of its own. */
public final class SubdirectoryMedium extends MediumView {
  private final String directory;

  /** Creates the view; closing it does not close the medium. */
  public SubdirectoryMedium(Medium medium, String directory) {
    super(medium);
    this.directory = directory;
  }

  @Override
  String in(String name) {
    return directory + "/" + name;
  }

  @Override
  public String location() {
    return medium.location() + "/" + directory;
  }

  @Override
  public List<String> list(String name) {
    return medium.list(name.isEmpty() ? directory : in(name));
  }

  @Override
  public void syncDirectory(String name) {
    medium.syncDirectory(name.isEmpty() ? directory : in(name));
    medium.syncDirectory(""); // the directory itself is durable
  }
}
