package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LocalVariable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Stack traces and debuggers see the source as it was written. */
class DebugInformationTest {
  private static final String ACCOUNT =
      """
      @Durable
      public class Account {
        long balance = 3;
        private String owner;
        @Atomic
        void withdraw(long amount, Map<String, Integer> why) {
          long left = balance - amount;
          for (int i = 0; i < 3; i++) {
            left += i;
          }
          if (left < 0) {
            Runnable fail = () -> {
              String text = owner;
              throw new IllegalStateException("no " + text);
            };
            fail.run();
          }
          balance = left;
        }
      }
      """;

  @Test
  void stackTracesNameTheLines() {
    Program program = Program.woven(ACCOUNT);
    try (Heap heap = Heap.inMemory()) {
      Object account = heap.create(program.type("Account"));
      try {
        Program.on(account, "withdraw", 50L, null);
      } catch (IllegalStateException e) {
        List<String> own =
            java.util.Arrays.stream(e.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("bank."))
                .map(frame -> frame.getMethodName().replaceAll("\\$\\d+$", "") + ":" + frame)
                .map(text -> text.replaceAll(":.*\\(", "("))
                .toList();
        assertThat(own)
            .containsExactly("lambda$withdraw(Account.java:14)", "withdraw(Account.java:16)");
        return;
      }
    }
    throw new AssertionError("it did not throw");
  }

  @Test
  void lineNumbersLocalVariablesAndParametersStay() {
    Map<String, byte[]> plain = Program.compile(ACCOUNT);
    Map<String, byte[]> woven = Program.weave(plain);
    Map<String, List<String>> before = debugInformation(plain.get("bank.Account"));
    assertThat(before).hasSize(3);
    assertThat(debugInformation(woven.get("bank.Account"))).containsAllEntriesOf(before);
    assertThat(before.toString()).contains("left J", "why Ljava/util/Map;", "line 8");
    assertThat(sourceFile(woven.get("bank.Account"))).isEqualTo("Account.java");
  }

  private static String sourceFile(byte[] bytes) {
    return ClassFile.of()
        .parse(bytes)
        .findAttribute(Attributes.sourceFile())
        .orElseThrow()
        .sourceFile()
        .stringValue();
  }

  /** For each method with lines: lines and variables in their order, without where they begin. */
  private static Map<String, List<String>> debugInformation(byte[] bytes) {
    Map<String, List<String>> all = new TreeMap<>();
    for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
      CodeModel code = method.code().orElseThrow();
      List<String> found =
          code.elementStream()
              .filter(e -> e instanceof LineNumber || e instanceof LocalVariable)
              .map(
                  e ->
                      e instanceof LocalVariable v
                          ? v.slot() + " " + v.name().stringValue() + " " + v.type().stringValue()
                          : "line " + ((LineNumber) e).line())
              .sorted()
              .toList();
      boolean generic =
          ((CodeAttribute) code).findAttribute(Attributes.localVariableTypeTable()).isPresent();
      if (!found.isEmpty()) {
        List<String> withTypes = new java.util.ArrayList<>(found);
        withTypes.add("generic " + generic);
        all.put(method.methodName().stringValue(), withTypes);
      }
    }
    return all;
  }
}
