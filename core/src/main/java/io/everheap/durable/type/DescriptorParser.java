package io.everheap.durable.type;

import io.everheap.error.CorruptException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Parses the text of a type descriptor.
 *
 * <pre>
 *   type      = "object " name { " " name } "(" [ field { ", " field } ] ")"
 *   field     = id " " name " " fieldtype
 *   fieldtype = primitive | "enum " name "(" constants ")" | "word " codec | "cell " codec
 *             | "ref " name
 * </pre>
 *
 * The name of a codec ends at the first comma or closing parenthesis that is outside of its own
 * brackets. The text comes from a heap, so it is not trusted. An instance parses one text, in one
 * thread.
 */
final class DescriptorParser {
  private static final String STOPS = "<>(),?= ";

  private final String text;
  private int position;

  DescriptorParser(String text) {
    this.text = text;
  }

  TypeDescriptor parse() {
    expect(TypeDescriptor.KEYWORD);
    String name = word();
    List<String> supertypes = new ArrayList<>();
    while (next(' ')) {
      supertypes.add(word());
    }
    expect("(");
    List<TypeDescriptor.Field> fields = new ArrayList<>();
    while (!next(')')) {
      if (!fields.isEmpty()) {
        expect(", ");
      }
      fields.add(field());
    }
    if (position != text.length()) {
      throw damaged("text follows its end");
    }
    requireSound(fields);
    return new TypeDescriptor(name, supertypes, fields);
  }

  private TypeDescriptor.Field field() {
    int id = id(word());
    expect(" ");
    String name = word();
    expect(" ");
    String keyword = word();
    Storage storage = Storage.of(keyword);
    if (storage == null) {
      throw damaged("'" + keyword + "' is not a kind of storage");
    }
    if (storage.isPrimitive()) {
      return new TypeDescriptor.Field(id, name, FieldType.primitive(storage));
    }
    expect(" ");
    FieldType type = new FieldType(storage, detail());
    if (storage == Storage.ENUM) {
      requireEnum(type.detail());
    }
    return new TypeDescriptor.Field(id, name, type);
  }

  private void requireEnum(String detail) {
    int open = detail.indexOf('(');
    if (open < 1 || detail.indexOf(')') != detail.length() - 1) {
      throw damaged("'" + detail + "' is not an enum");
    }
    String list = detail.substring(open + 1, detail.length() - 1);
    if (!list.isEmpty()) {
      Set<String> names = new HashSet<>();
      for (String constant : list.split(",", -1)) {
        if (constant.isEmpty() || !names.add(constant)) {
          throw damaged("a constant of '" + detail + "' is missing or there twice");
        }
      }
    }
  }

  private int id(String digits) {
    try {
      int id = Integer.parseInt(digits);
      if (id > 0) {
        return id;
      }
    } catch (NumberFormatException e) {
      // thrown below
    }
    throw damaged("'" + digits + "' is not a field id");
  }

  /** The text before the comma or the parenthesis that ends the field. */
  private String detail() {
    int start = position;
    int depth = 0;
    for (; position < text.length(); position++) {
      char c = text.charAt(position);
      if (depth == 0 && (c == ',' || c == ')')) {
        break;
      }
      if (c == '(' || c == '<') {
        depth++;
      } else if (c == ')' || c == '>') {
        depth--;
      }
    }
    if (position == start || position == text.length()) {
      throw damaged("the type of a field is missing or has no end");
    }
    return text.substring(start, position);
  }

  private void requireSound(List<TypeDescriptor.Field> fields) {
    if (fields.size() > TypeDescriptor.MAX_FIELDS) {
      throw damaged("it has " + fields.size() + " fields");
    }
    Set<String> names = new HashSet<>();
    int last = 0;
    for (TypeDescriptor.Field field : fields) {
      if (field.id() <= last || !names.add(field.name())) {
        throw damaged("the field " + field.name() + " is there twice, or out of order");
      }
      last = field.id();
    }
  }

  private String word() {
    int start = position;
    while (position < text.length() && STOPS.indexOf(text.charAt(position)) < 0) {
      position++;
    }
    if (position == start) {
      throw damaged("a name is missing");
    }
    return text.substring(start, position);
  }

  private boolean next(char wanted) {
    boolean found = position < text.length() && text.charAt(position) == wanted;
    if (found) {
      position++;
    }
    return found;
  }

  private void expect(String wanted) {
    if (!text.startsWith(wanted, position)) {
      throw damaged("'" + wanted + "' is missing");
    }
    position += wanted.length();
  }

  private CorruptException damaged(String why) {
    String shown = text.length() <= 200 ? text : text.substring(0, 200) + "...";
    return CorruptException.heap(
        "The type table is damaged: '"
            + shown
            + "' is not a type of objects: "
            + why
            + ", at character "
            + position);
  }
}
