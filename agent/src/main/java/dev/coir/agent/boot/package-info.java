/** What woven classes call: loaded by the boot loader, and so found from everywhere. It uses nothing but the JDK. */
@NullMarked
package dev.coir.agent.boot;

import org.jspecify.annotations.NullMarked;
