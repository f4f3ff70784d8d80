package io.everheap.codec;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records, enums and sealed types of descriptions and of programs, and what they are called.
 */
final class TypeNames {
  private TypeNames() {}

  /** The name of a described type with its type arguments; null if it is none. */
  static @Nullable String of(Codec<?> described) {
    return switch (described) {
      case DescribedRecord record -> record.type();
      case DescribedSealed sealed -> sealed.type();
      case DescribedEnum constants -> constants.type();
      default -> null;
    };
  }

  /** The members of a described type. */
  static List<Label> labels(Codec<?> described) {
    return switch (described) {
      case DescribedRecord record -> record.labels();
      case DescribedSealed sealed -> sealed.labels();
      case DescribedEnum constants -> constants.labels();
      default -> List.of();
    };
  }

  /** The members of a type of the program. */
  static List<Label.Wanted> members(Codec<?> codec) {
    return switch (codec) {
      case RecordCodec<?> record -> record.members();
      case SealedCodec<?> sealed -> sealed.members();
      case EnumCodec<?> constants -> constants.members();
      default -> List.of();
    };
  }

  /** The class of a codec made for a record, an enum or a sealed type; else null. */
  static @Nullable Class<?> classOf(Codec<?> codec) {
    return switch (codec) {
      case RecordCodec<?> record -> record.type().raw();
      case SealedCodec<?> sealed -> sealed.type().raw();
      case EnumCodec<?> constants -> constants.type();
      default -> null;
    };
  }

  /** Whether a type of the program has this name or had it, whatever its type arguments are. */
  static boolean isFormer(String type, Codec<?> wanted) {
    Class<?> raw = classOf(wanted);
    int arguments = type.indexOf('<');
    String name = arguments < 0 ? type : type.substring(0, arguments);
    return raw != null && (raw.getName().equals(name) || Label.formerly(raw).contains(name));
  }

  /** What a codec is called in messages. */
  static String brief(Codec<?> codec) {
    return codec instanceof StructuredCodec<?> structured && structured.declared()
        ? structured.head()
        : codec.name();
  }
}
