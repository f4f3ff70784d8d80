package io.everheap.samples.notes

import io.everheap.Heap
import io.everheap.durable.Durable
import java.nio.file.Path
import java.util.function.Consumer

/** A note; the library implements the interface, so nothing has to be woven. */
@Durable
interface Note {
  fun text(): String

  fun text(value: String)

  fun done(): Boolean

  fun done(value: Boolean)
}

/**
 * Keeps notes: `DIRECTORY add TEXT...`, `DIRECTORY done NUMBER`, `DIRECTORY list`. Each change is durable
 * when its line is printed.
 */
fun main(arguments: Array<String>) {
  Heap.open(Path.of(arguments[0])).use { heap ->
    val notes = heap.list("notes", Note::class.java)
    when (val command = arguments.getOrElse(1) { "list" }) {
      "add" -> {
        val text = arguments.drop(2).joinToString(" ")
        heap.transact<RuntimeException> {
          notes.add(heap.create(Note::class.java, Consumer { note -> note.text(text) }))
        }
        println("added ${notes.size}")
      }
      "done" -> {
        val number = arguments[2].toInt()
        notes[number - 1].done(true)
        println("done $number")
      }
      "list" ->
        notes.forEachIndexed { i, note ->
          println("${i + 1} ${if (note.done()) "[x]" else "[ ]"} ${note.text()}")
        }
      else -> error("not a command: $command")
    }
  }
}
