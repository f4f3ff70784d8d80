package io.everheap.durable.handle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sizes of code by which HotSpot decides what it inlines. */
class InliningTest {
  /** Default of {@code FreqInlineSize}: larger methods are never inlined. */
  private static final int FREQ_INLINE_SIZE = 325;

  /** {@code HugeMethodLimit}: larger methods are never compiled. */
  private static final int HUGE_METHOD_LIMIT = 8_000;

  @Test
  void whatLoadsReferencesIsNotInlinedAndLeavesRoomForTheHandles() throws IOException {
    assertThat(sizes(ReferenceReads.class, "follow").getLast())
        .isGreaterThan(FREQ_INLINE_SIZE)
        .isLessThanOrEqualTo(HUGE_METHOD_LIMIT);
  }

  @Test
  void whatReadsAFieldIsInlined() throws IOException {
    assertThat(sizes(ObjectReads.class, "word")).allMatch(size -> size <= FREQ_INLINE_SIZE);
    assertThat(sizes(ReferenceReads.class, "reference")).allMatch(size -> size <= FREQ_INLINE_SIZE);
  }

  /** Bytes of code of the methods with a name, ascending. */
  private static List<Integer> sizes(Class<?> type, String method) throws IOException {
    try (InputStream file = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      return ClassFile.of().parse(file.readAllBytes()).methods().stream()
          .filter(each -> each.methodName().equalsString(method))
          .map(InliningTest::size)
          .sorted()
          .toList();
    }
  }

  private static int size(MethodModel method) {
    CodeModel code = method.code().orElseThrow();
    return ((CodeAttribute) code).codeLength();
  }
}
