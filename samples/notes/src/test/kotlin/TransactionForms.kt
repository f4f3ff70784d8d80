package io.everheap.samples.notes

import io.everheap.Heap
import java.io.IOException

/** The forms of a transaction in Kotlin, which infers no type of an exception. */
object TransactionForms {
  fun withoutResult(heap: Heap) {
    heap.transact<RuntimeException> { heap.list("names", String::class.java).add("Ada") }
  }

  fun withResult(heap: Heap): Int =
    heap.transact<Int, RuntimeException> { heap.list("names", String::class.java).size }

  @Throws(IOException::class)
  fun withoutResultFailing(heap: Heap) {
    heap.transact<IOException> {
      heap.list("names", String::class.java).add("Bob")
      throw IOException("no answer")
    }
  }

  @Throws(IOException::class)
  fun withResultFailing(heap: Heap): Int =
    heap.transact<Int, IOException> {
      heap.list("names", String::class.java).add("Bob")
      throw IOException("no answer")
    }
}
