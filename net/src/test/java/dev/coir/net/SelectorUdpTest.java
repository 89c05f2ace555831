package dev.coir.net;

import dev.coir.net.internal.Net;
import dev.coir.net.internal.NioNet;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("dev.coir.net.Ground#all")
class SelectorUdpTest extends UdpContract {
    private static final Net NET = new NioNet();

    @Override
    Net net() {
        return NET;
    }
}
