package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections that have not introduced themselves. */
class NewcomersTest {
  private final Newcomers newcomers = new Newcomers();

  private static final class Stranger extends Socket {
    private final byte from;

    Stranger(int from) {
      this.from = (byte) from;
    }

    @Override
    public InetAddress getInetAddress() {
      try {
        return InetAddress.getByAddress(new byte[] {10, 0, 0, from});
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private Stranger add(int from) {
    Stranger made = new Stranger(from);
    newcomers.add(new Thread(), made);
    return made;
  }

  @Test
  void oneMoreTakesThePlaceOfOneFromTheAddressThatHasMost() {
    List<Stranger> many = new ArrayList<>();
    Stranger alone = add(1);
    while (newcomers.size() < Newcomers.MAX) {
      many.add(add(2));
    }
    for (int i = 0; i < 1_000; i++) {
      many.add(add(2));
    }
    assertThat(alone.isClosed()).isFalse();
    assertThat(newcomers.size()).isEqualTo(Newcomers.MAX);
    assertThat(many.stream().filter(Socket::isClosed)).hasSize(1_000);
    assertThat(add(3).isClosed()).isFalse();
    assertThat(many.stream().filter(Socket::isClosed)).hasSize(1_001);
  }

  @Test
  void whoeverIsAdmittedIsClosedByNobody() {
    Thread thread = new Thread();
    Stranger admitted = new Stranger(1);
    newcomers.add(thread, admitted);
    assertThat(newcomers.remove(thread)).isTrue();
    assertThat(newcomers.remove(thread)).isFalse();
    for (int i = 0; i < 200; i++) {
      add(1);
    }
    assertThat(admitted.isClosed()).isFalse();
  }
}
