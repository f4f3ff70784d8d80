package io.everheap.testkit.mutation;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is done to one method of a compiled class. */
sealed interface Change {
  /** Counts how often a change found its place. */
  final class Matches {
    int count;
  }

  /** How to rewrite the method's code; {@code matches} is counted up at each place changed. */
  CodeTransform transform(String owner, Matches matches, MethodTypeDesc type);

  /** Rewrites a class. */
  default byte[] apply(byte[] bytes, String method) {
    ClassFile files = ClassFile.of(ClassFile.DebugElementsOption.DROP_DEBUG);
    ClassModel model = files.parse(bytes);
    String owner = model.thisClass().asInternalName();
    var matches = new Matches();
    ClassTransform each =
        (builder, element) -> {
          if (element instanceof MethodModel m
              && isNamed(m.methodName().stringValue(), method)
              && m.code().isPresent()) {
            builder.transformMethod(
                m,
                MethodTransform.transformingCode(transform(owner, matches, m.methodTypeSymbol())));
          } else {
            builder.with(element);
          }
        };
    byte[] changed = files.transformClass(model, each);
    if (matches.count == 0) {
      throw new AssertionError(
          "the mutant no longer applies: in " + owner + "." + method + " there is no " + this);
    }
    return changed;
  }

  /** A name that ends with a dollar sign stands for the lambdas of a method, a star for all. */
  private static boolean isNamed(String name, String wanted) {
    return wanted.equals("*")
        || (wanted.endsWith("$") ? name.startsWith(wanted) : name.equals(wanted));
  }

  private static boolean isCall(InvokeInstruction call, String owner, String name) {
    return call.name().equalsString(name) && call.owner().asInternalName().endsWith("/" + owner);
  }

  /**
   * Leaves out all calls of a method.
   *
   * @param value what they return, if it is a number or a boolean; else null
   */
  record Drop(String owner, String name, int value) implements Change {
    Drop(String owner, String name) {
      this(owner, name, 0);
    }

    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return (builder, element) -> {
        if (element instanceof InvokeInstruction call && isCall(call, owner, name)) {
          matches.count++;
          MethodTypeDesc called = call.typeSymbol();
          for (int i = called.parameterCount() - 1; i >= 0; i--) {
            pop(builder, called.parameterType(i));
          }
          if (call.opcode() != Opcode.INVOKESTATIC) {
            builder.pop();
          }
          push(builder, called.returnType(), value);
        } else {
          builder.with(element);
        }
      };
    }
  }

  /** Makes two changes, where each thing guards what the other one does. */
  record Both(Change first, Change second) implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return first.transform(self, matches, type).andThen(second.transform(self, matches, type));
    }
  }

  /** Leaves out all stores to a field of an object, one that takes no two slots. */
  record DropStore(String field) implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return (builder, element) -> {
        if (element instanceof FieldInstruction store
            && store.opcode() == Opcode.PUTFIELD
            && store.name().equalsString(field)) {
          matches.count++;
          builder.pop2();
        } else {
          builder.with(element);
        }
      };
    }
  }

  /** Replaces the last argument, a number or a boolean, of all calls of a method. */
  record Argument(String owner, String name, long value) implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return (builder, element) -> {
        if (element instanceof InvokeInstruction call && isCall(call, owner, name)) {
          matches.count++;
          MethodTypeDesc called = call.typeSymbol();
          ClassDesc last = called.parameterType(called.parameterCount() - 1);
          pop(builder, last);
          if (TypeKind.from(last) == TypeKind.LONG) {
            builder.loadConstant(value);
          } else {
            builder.loadConstant((int) value);
          }
        }
        builder.with(element);
      };
    }
  }

  /** Runs what a method is given, its one argument, without the method. */
  record RunAlone(String owner, String name) implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return (builder, element) -> {
        if (element instanceof InvokeInstruction call && isCall(call, owner, name)) {
          matches.count++;
          builder
              .invokeinterface(
                  ClassDesc.of("java.lang.Runnable"), "run", MethodTypeDesc.ofDescriptor("()V"))
              .pop();
        } else {
          builder.with(element);
        }
      };
    }
  }

  /** Calls another method of the object first, one without arguments or result. */
  record CallFirst(String name) implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return new CodeTransform() {
        @Override
        public void atStart(CodeBuilder builder) {
          matches.count++;
          builder
              .aload(0)
              .invokevirtual(
                  ClassDesc.ofInternalName(self), name, MethodTypeDesc.ofDescriptor("()V"));
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
          builder.with(element);
        }
      };
    }
  }

  /**
   * Calls a method of an object that a field holds first, one without arguments or result.
   *
   * @param type of the field, below {@code io.everheap}
   */
  record CallOfFieldFirst(String field, String type, String name) implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return new CodeTransform() {
        @Override
        public void atStart(CodeBuilder builder) {
          matches.count++;
          ClassDesc held = ClassDesc.of("io.everheap." + CallOfFieldFirst.this.type);
          builder
              .aload(0)
              .getfield(ClassDesc.ofInternalName(self), field, held)
              .invokevirtual(held, name, MethodTypeDesc.ofDescriptor("()V"));
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
          builder.with(element);
        }
      };
    }
  }

  /** Calls a method of the object, one that returns a long, first and not where it was called. */
  record Early(String name) implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return new CodeTransform() {
        private int result;

        @Override
        public void atStart(CodeBuilder builder) {
          result = builder.allocateLocal(TypeKind.LONG);
          builder
              .aload(0)
              .invokevirtual(
                  ClassDesc.ofInternalName(self), name, MethodTypeDesc.ofDescriptor("()J"))
              .lstore(result);
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
          if (element instanceof InvokeInstruction call
              && call.name().equalsString(name)
              && call.owner().asInternalName().equals(self)) {
            matches.count++;
            builder.pop().lload(result);
          } else {
            builder.with(element);
          }
        }
      };
    }
  }

  /**
   * Makes a call, of a method that returns nothing, only after the next call of another one. What
   * it is given is computed where it was.
   */
  record Late(String owner, String name, String afterOwner, String after) implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return new CodeTransform() {
        private final List<Integer> arguments = new ArrayList<>(); // their local variables
        private @Nullable InvokeInstruction late;

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
          InvokeInstruction postponed = late;
          if (element instanceof InvokeInstruction call && isCall(call, owner, name)) {
            matches.count++;
            late = call;
            arguments.clear();
            for (TypeKind kind : kinds(call).reversed()) {
              int local = builder.allocateLocal(kind);
              builder.storeLocal(kind, local);
              arguments.addFirst(local);
            }
          } else if (element instanceof InvokeInstruction call
              && postponed != null
              && isCall(call, afterOwner, after)) {
            builder.with(element);
            List<TypeKind> kinds = kinds(postponed);
            for (int i = 0; i < kinds.size(); i++) {
              builder.loadLocal(kinds.get(i), arguments.get(i));
            }
            builder.with(postponed);
            late = null;
          } else {
            builder.with(element);
          }
        }
      };
    }

    /** The kinds of the receiver and the arguments. */
    private static List<TypeKind> kinds(InvokeInstruction call) {
      List<TypeKind> kinds = new ArrayList<>();
      if (call.opcode() != Opcode.INVOKESTATIC) {
        kinds.add(TypeKind.REFERENCE);
      }
      call.typeSymbol().parameterList().forEach(type -> kinds.add(TypeKind.from(type)));
      return kinds;
    }
  }

  /**
   * Logs an argument of a static method, an array of bytes, in hexadecimal digits first.
   *
   * @param slot of the argument
   */
  record LogBytes(int slot) implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return new CodeTransform() {
        @Override
        public void atStart(CodeBuilder builder) {
          matches.count++;
          builder
              .ldc("io.everheap")
              .invokestatic(
                  ClassDesc.of("java.util.logging.Logger"),
                  "getLogger",
                  MethodTypeDesc.ofDescriptor("(Ljava/lang/String;)Ljava/util/logging/Logger;"))
              .invokestatic(
                  ClassDesc.of("java.util.HexFormat"),
                  "of",
                  MethodTypeDesc.ofDescriptor("()Ljava/util/HexFormat;"))
              .aload(slot)
              .invokevirtual(
                  ClassDesc.of("java.util.HexFormat"),
                  "formatHex",
                  MethodTypeDesc.ofDescriptor("([B)Ljava/lang/String;"))
              .invokevirtual(
                  ClassDesc.of("java.util.logging.Logger"),
                  "fine",
                  MethodTypeDesc.ofDescriptor("(Ljava/lang/String;)V"));
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
          builder.with(element);
        }
      };
    }
  }

  /**
   * Makes the method return at once.
   *
   * @param value what it returns, if it is a number or a boolean; else null
   */
  record Answer(int value) implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return new CodeTransform() {
        @Override
        public void atStart(CodeBuilder builder) {
          matches.count++;
          push(builder, type.returnType(), value);
          builder.return_(TypeKind.from(type.returnType()));
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
          builder.with(element);
        }
      };
    }
  }

  /** Replaces a constant. */
  record Constant(Object from, Object to) implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      return (builder, element) -> {
        if (element instanceof ConstantInstruction constant
            && constant.constantValue().equals(from)) {
          matches.count++;
          builder.loadConstant((ConstantDesc) to);
        } else {
          builder.with(element);
        }
      };
    }
  }

  /** Stores every word home before it is logged, in {@code HeapMemory.putLong}. */
  record StoreAtOnce() implements Change {
    @Override
    public CodeTransform transform(String self, Matches matches, MethodTypeDesc type) {
      ClassDesc home = ClassDesc.of("io.everheap.engine.home.Home");
      return new CodeTransform() {
        @Override
        public void atStart(CodeBuilder builder) {
          matches.count++;
          builder
              .aload(0)
              .getfield(ClassDesc.ofInternalName(self), "home", home)
              .lload(2)
              .lload(4)
              .invokevirtual(home, "putLong", MethodTypeDesc.ofDescriptor("(JJ)V"));
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
          builder.with(element);
        }
      };
    }
  }

  private static void pop(CodeBuilder builder, ClassDesc type) {
    if (TypeKind.from(type).slotSize() == 2) {
      builder.pop2();
    } else {
      builder.pop();
    }
  }

  private static void push(CodeBuilder builder, ClassDesc type, int value) {
    switch (TypeKind.from(type)) {
      case VOID -> {}
      case LONG -> builder.loadConstant((long) value);
      case FLOAT -> builder.loadConstant((float) value);
      case DOUBLE -> builder.loadConstant((double) value);
      case REFERENCE -> builder.aconst_null();
      default -> builder.loadConstant(value);
    }
  }
}
