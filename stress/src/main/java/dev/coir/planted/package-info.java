/**
 * Characteristic mistakes, each in a small copy of a real class. The tools must find every one of them: a tool that stays
 * silent here proves nothing elsewhere. Nothing but tests may use these classes.
 */
@NullMarked
package dev.coir.planted;

import org.jspecify.annotations.NullMarked;
