/** The agent: opens the JDK to Coir, and weaves into the user's classes the polls by which fibers are preempted. */
@NullMarked
package dev.coir.agent;

import org.jspecify.annotations.NullMarked;
