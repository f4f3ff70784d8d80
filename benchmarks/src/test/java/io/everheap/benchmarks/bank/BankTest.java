package io.everheap.benchmarks.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.everheap.benchmarks.harness.Curve;
import io.everheap.benchmarks.store.Binding.Opening;
import io.everheap.benchmarks.store.EverheapBinding;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.Store;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BankTest {
  @TempDir Path directory;

  @Test
  void transfersMoveMoneyAndLoseNone() throws Exception {
    Opening opening = new Opening(directory, Mode.PROCESS, false, 50, Account.BYTES);
    try (Store store = new EverheapBinding().open(opening)) {
      for (int n = 0; n < 50; n++) {
        store.put(Account.key(n), Account.initial());
      }
      Teller teller = new Teller(store, 50);
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < 200; i++) {
        teller.transfer(random);
      }

      assertThat(teller.sum()).isEqualTo(50 * Account.INITIAL);
      assertThat(Account.balance(store.get(Account.key(0)))).isNotEqualTo(Account.INITIAL);
    }
  }

  @Test
  void aCurveCountsWhatEndedInEachTenthOfASecond() {
    Curve curve = new Curve(0.3);
    curve.count(0);
    curve.count(99_999_999);
    curve.count(250_000_000);
    curve.count(300_000_000); // too late

    assertThat(Curve.read(curve.values())).containsExactly(20, 0, 10);
  }

  @Test
  void fullSpeedIsWhenThreeBucketsTogetherReachNineTenths() {
    double[] rates = {0, 0, 50, 100, 100, 100, 100, 100};

    assertThat(Curve.settled(rates)).isEqualTo(100);
    assertThat(Curve.fullSpeed(rates, 100)).hasValueCloseTo(0.3, within(1e-9));
    assertThat(Curve.fullSpeed(rates, 200)).isEmpty();
  }

  @Test
  void aWorkerRunsAndRecoversTheBank() throws Exception {
    Map<String, String> parameters =
        Map.of(
            "binding", EverheapBinding.class.getName(),
            "directory", directory.toString(),
            "mode", Mode.PROCESS.name(),
            "accounts", "100");
    try (BankSubject bank = new BankSubject()) {
      bank.open(parameters);
      bank.measure(new String[] {"load"});
      double[] rates = Curve.read(bank.measure(new String[] {"run", "2", "200"}));
      assertThat(Arrays.stream(rates).sum()).isPositive(); // a loaded machine may settle at none
    }
    try (BankSubject bank = new BankSubject()) {
      bank.open(parameters);
      assertThat(bank.measure(new String[] {"recover", "1", "100"}))
          .containsKeys("open", "first", "bucket0");
      assertThat(bank.measure(new String[] {"sum"})).containsEntry("sum", 100.0 * Account.INITIAL);
    }
  }
}
