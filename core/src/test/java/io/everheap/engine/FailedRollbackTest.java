package io.everheap.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.tx.CommitParticipant;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.StoppedException;
import io.everheap.memory.FileMedium;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rollback that fails half-way leaves summaries that would give live blocks away: the heap is
 * poisoned, and holds the last commit when it is opened anew.
 */
class FailedRollbackTest {
  private static final int WORD = 3;

  @TempDir Path temp;
  private Engine engine;
  private Transactions transactions;

  /** Does what the allocator does, but fails to undo it. */
  private record Failing(CommitParticipant participant) implements CommitParticipant {
    @Override
    public void prepare() {
      participant.prepare();
    }

    @Override
    public void applied() {
      participant.applied();
    }

    @Override
    public int mark() {
      return participant.mark();
    }

    @Override
    public void rollbackTo(int mark) {
      throw new OutOfMemoryError("while it was undone");
    }

    @Override
    public void fresh(FreshBlocks sink) {
      participant.fresh(sink);
    }

    @Override
    public void reset() {
      participant.reset();
    }
  }

  private Engine open() {
    return Engine.open(FileMedium.open(temp.resolve("heap"), false, true), EngineTest.small(true));
  }

  @BeforeEach
  void commitOnce() {
    engine = open();
    transactions = engine.transactions();
    transactions.begin();
    store(42);
    transactions.end(true);
    transactions.setParticipant(new Failing(engine.allocator().participant()));
  }

  private void store(long value) {
    engine.memory().putLong(Stripes.NONE, engine.context().catalog(WORD), value);
  }

  @AfterEach
  void theLastCommitIsThereAfterAReopen() {
    assertThat(engine.isOpen()).isFalse();
    assertThatExceptionOfType(StoppedException.class).isThrownBy(transactions::begin);
    assertThatExceptionOfType(StoppedException.class)
        .isThrownBy(() -> engine.memory().getLong(engine.context().catalog(WORD)));
    engine.close();
    try (Engine again = open()) {
      assertThat(again.memory().getLong(again.context().catalog(WORD))).isEqualTo(42);
    }
  }

  @Test
  void ofTheWholeTransaction() {
    transactions.begin();
    store(43);
    assertThatThrownBy(() -> transactions.end(false)).isInstanceOf(OutOfMemoryError.class);
    assertThat(transactions.isWriter()).isFalse();
  }

  @Test
  void ofAnInnerPart() {
    transactions.begin();
    store(43);
    transactions.begin();
    store(44);
    assertThatThrownBy(() -> transactions.end(false)).isInstanceOf(OutOfMemoryError.class);
    assertThat(engine.isOpen()).isFalse();
    assertThatThrownBy(() -> transactions.end(true)).isInstanceOf(Throwable.class);
    assertThat(transactions.isWriter()).isFalse();
  }
}
