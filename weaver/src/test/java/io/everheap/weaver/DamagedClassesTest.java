package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.support.Limit;
import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Class files that no compiler wrote: they are named, and weaving ends. */
class DamagedClassesTest {
  private static final ClassDesc EVEN = ClassDesc.of("Even");
  private static final ClassDesc ODD = ClassDesc.of("Odd");
  private static final ClassDesc DURABLE = ClassDesc.of("io.everheap.durable.Durable");

  @TempDir private Path directory;

  /** A class with a field, and a method that reads a field that nothing declares. */
  private void write(ClassDesc name, ClassDesc parent, boolean durable) throws IOException {
    byte[] bytes =
        ClassFile.of()
            .build(
                name,
                made -> {
                  made.withSuperclass(parent).withInterfaceSymbols(parent);
                  made.withField(name.displayName(), ConstantDescs.CD_int, 0);
                  made.withMethodBody(
                      "run",
                      MethodTypeDesc.of(ConstantDescs.CD_int, name),
                      ClassFile.ACC_STATIC,
                      code ->
                          code.aload(0).getfield(name, "missing", ConstantDescs.CD_int).ireturn());
                  if (durable) {
                    made.with(RuntimeVisibleAnnotationsAttribute.of(Annotation.of(DURABLE)));
                  }
                });
    Files.write(directory.resolve(name.displayName() + ".class"), bytes);
  }

  private List<String> weave() throws Exception {
    FutureTask<List<String>> weaving =
        new FutureTask<>(() -> new DirectoryWeaver(directory, List.of()).weave());
    Thread.ofPlatform().daemon().start(weaving);
    return Limit.get(weaving);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClassThatExtendsItselfEndsTheSearch(boolean durable) throws Exception {
    write(EVEN, ODD, durable);
    write(ODD, EVEN, durable);
    assertThatThrownBy(this::weave)
        .hasCauseInstanceOf(WeavingException.class)
        .hasMessageContaining("Even extends itself");
  }

  @Test
  void aFileThatIsNoClassIsNamed() throws IOException {
    write(EVEN, ConstantDescs.CD_Object, false);
    byte[] whole = Files.readAllBytes(directory.resolve("Even.class"));
    Path damaged = directory.resolve("Damaged.class");
    for (int length : new int[] {0, 3, 12, whole.length / 2, whole.length - 1}) {
      Files.write(damaged, java.util.Arrays.copyOf(whole, length));
      assertThatThrownBy(this::weave)
          .as("%d bytes", length)
          .hasCauseInstanceOf(WeavingException.class)
          .hasMessageContaining("Damaged");
    }
  }

  @Test
  void aClassOnTheClassPathThatIsNoneIsNamed() throws IOException {
    write(EVEN, ODD, false);
    Files.write(directory.resolve("Odd.class"), new byte[] {1, 2, 3});
    assertThatThrownBy(this::weave)
        .hasCauseInstanceOf(WeavingException.class)
        .hasMessageContaining("Odd")
        .hasMessageContaining("Even");
  }
}
