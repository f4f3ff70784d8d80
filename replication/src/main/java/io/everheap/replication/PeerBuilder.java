package io.everheap.replication;

import io.everheap.encryption.KeyProvider;
import io.everheap.stability.Evolving;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings that replicas of heaps and of journals share. Not thread-safe.
 *
 * @param <B> the builder
 * @since 0.9
 */
@Evolving
public abstract class PeerBuilder<B extends PeerBuilder<B>> extends AccessBuilder<B> {
  final Path directory;
  List<InetSocketAddress> primaries = List.of();
  boolean anew;
  String name;
  @Nullable KeyProvider keys;

  PeerBuilder(Path directory) {
    this.directory = directory.toAbsolutePath();
    this.name = String.valueOf(directory.getFileName());
  }

  /** Where the primary may be: it is looked for at these addresses, one after the other. */
  public B primary(InetSocketAddress... addresses) {
    primaries = List.of(addresses);
    return self();
  }

  /**
   * Encrypts the files of the replica, with a data key of its own. A primary whose files are
   * encrypted serves only replicas that are; one whose files are not serves both.
   *
   * @param provider gives the wrapping key of the replica, which may be another one than the
   *     primary's
   */
  public B encrypt(KeyProvider provider) {
    keys = Objects.requireNonNull(provider, "provider");
    return self();
  }

  /** A name for the status of the primary; that of the directory unless given. */
  public B name(String newName) {
    name = Objects.requireNonNull(newName, "newName");
    return self();
  }

  /**
   * If what is in the directory is not in a state from which the primary goes on, moves the
   * directory aside, where it can be opened, and makes the replica anew. That is so for a former
   * primary that wrote what the new one never got, and for a replica that was away for longer than
   * the primary keeps what it lacks.
   */
  public B anew() {
    anew = true;
    return self();
  }

  /** What connects to the primaries. */
  final Sockets sockets() {
    if (primaries.isEmpty()) {
      throw new IllegalStateException("no primary is named: call primary");
    }
    return sockets(false);
  }
}
