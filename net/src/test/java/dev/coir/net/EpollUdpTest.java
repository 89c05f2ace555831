package dev.coir.net;

import dev.coir.net.internal.Net;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("dev.coir.net.Ground#all")
class EpollUdpTest extends UdpContract {
    @Override
    Net net() {
        return Net.standard();
    }
}
