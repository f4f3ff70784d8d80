package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.EndingLoader;
import io.everheap.support.FreshJvm;
import io.everheap.support.Limit;
import io.everheap.support.tier.Processes;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A program with woven classes and its copy of the library can be garbage collected after it closed
 * its heap, as a stopped web application must be.
 */
@Processes
class DiscardedProgramTest {
  private static final String ACCOUNT =
      """
      @Durable
      public class Account {
        private long balance;
        public void deposit(long amount) { balance += amount; }
      }
      """;

  private static final String START =
      """
      public class Start implements Runnable {
        public void run() {
          try (Heap heap = Heap.inMemory()) {
            heap.transact(() -> new Account().deposit(1));
          }
        }
      }
      """;

  @Test
  void aProgramThatClosedItsHeapIsCollected() throws Exception {
    assertThat(
            FreshJvm.run(
                List.of("-XX:SoftRefLRUPolicyMSPerMB=0", "--enable-native-access=ALL-UNNAMED"),
                DiscardedProgramTest.class))
        .isZero();
  }

  /** Runs in a JVM whose collections clear soft references: the JDK keeps some classes by them. */
  public static void main(String[] arguments) throws Exception {
    WeakReference<ClassLoader> library = useInNewLoader();
    Limit.until(
        "the class loader is collected",
        () -> {
          System.gc();
          return library.get() == null;
        });
  }

  private static WeakReference<ClassLoader> useInNewLoader() throws Exception {
    try (var loader = new EndingLoader(Heap.class)) {
      Program program = Program.woven(loader, ACCOUNT, START);
      ((Runnable) program.make("Start")).run();
      return new WeakReference<>(loader);
    }
  }
}
