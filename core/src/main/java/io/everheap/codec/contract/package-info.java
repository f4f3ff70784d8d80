/**
 * What keys of any class are equal to, where the contract of an interface of the JDK says more than
 * their class.
 */
@NullMarked
package io.everheap.codec.contract;

import org.jspecify.annotations.NullMarked;
