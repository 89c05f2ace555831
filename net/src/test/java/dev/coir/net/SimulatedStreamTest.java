package dev.coir.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.net.internal.NativeNet;
import dev.coir.net.internal.Net;
import dev.coir.net.internal.SimulatedSys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract without a kernel: events come late, in any order, and now and then for nothing. */
@ParameterizedClass
@MethodSource("dev.coir.net.Ground#all")
class SimulatedStreamTest extends StreamContract {
    private static final SimulatedSys SYS = SimulatedSys.byChance(6);
    private static final NativeNet NET = new NativeNet(SYS, true);

    @Override
    Net net() {
        return NET;
    }

    @AfterAll
    static void nothingIsOpen() {
        NET.close();
        assertEquals(0, SYS.open(), "descriptors that are left open");
    }
}
