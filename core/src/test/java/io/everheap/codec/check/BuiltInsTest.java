package io.everheap.codec.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table has every constant, under the class of its values, its primitive type and its name. */
class BuiltInsTest {
  static Field[] constants() {
    return Codecs.class.getFields();
  }

  @ParameterizedTest
  @MethodSource("constants")
  void aConstantIsFound(Field constant) throws IllegalAccessException {
    Codec<?> codec = (Codec<?>) constant.get(null);
    var type =
        (Class<?>) ((ParameterizedType) constant.getGenericType()).getActualTypeArguments()[0];
    assertThat(BuiltIns.of(type)).isSameAs(codec);
    assertThat(BuiltIns.of(MethodType.methodType(type).unwrap().returnType())).isSameAs(codec);
    assertThat(BuiltIns.of(codec.name())).isSameAs(codec);
  }
}
