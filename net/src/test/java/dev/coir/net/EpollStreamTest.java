package dev.coir.net;

import dev.coir.net.internal.Net;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("dev.coir.net.Ground#all")
class EpollStreamTest extends StreamContract {
    @Override
    Net net() {
        return Net.standard();
    }
}
