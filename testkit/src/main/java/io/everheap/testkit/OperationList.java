package io.everheap.testkit;

import io.everheap.Heap;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A program that is a list of operations, each of them one step.
 *
 * @param all the whole list
 * @param indexes of the operations that are run
 */
record OperationList(List<CrashTest.Operation> all, List<Integer> indexes)
    implements CrashTest.Program {

  static OperationList of(List<? extends CrashTest.Operation> operations) {
    return new OperationList(
        List.copyOf(operations), IntStream.range(0, operations.size()).boxed().toList());
  }

  OperationList only(int... kept) {
    return new OperationList(all, Arrays.stream(kept).boxed().toList());
  }

  /** The call with which a test keeps these operations only. */
  String only() {
    return indexes.size() == all.size()
        ? ""
        : indexes.stream()
            .map(String::valueOf)
            .collect(Collectors.joining(", ", "\n      .only(", ")"));
  }

  List<CrashTest.Operation> operations() {
    return indexes.stream().map(all::get).toList();
  }

  @Override
  public void run(Heap heap, CrashTest.Steps steps) throws Exception {
    for (CrashTest.Operation operation : operations()) {
      steps.begin();
      operation.run(heap);
      steps.end();
    }
  }
}
