package dev.coir.bench.servers;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;

/** The hello server of Netty: its epoll transport, one event loop, and a handler without any codec. */
final class NettyHello {
    private NettyHello() {}

    public static void main(String[] args) throws InterruptedException {
        var loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel client) {
                        client.pipeline().addLast(new Greeter());
                    }
                })
                .bind("127.0.0.1", Integer.parseInt(args[0]))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }

    private static final class Greeter extends ChannelInboundHandlerAdapter {
        private static final ByteBuf ANSWER =
                Unpooled.unreleasableBuffer(Unpooled.directBuffer(RequestEnds.ANSWER.length)
                        .writeBytes(RequestEnds.ANSWER)
                        .asReadOnly());

        private final RequestEnds ends = new RequestEnds();

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            var in = (ByteBuf) message;
            int requests = 0;
            for (int i = in.readerIndex(); i < in.writerIndex(); i++) if (ends.endsWith(in.getByte(i))) requests++;
            in.release();
            if (requests == 1) {
                context.write(ANSWER.duplicate(), context.voidPromise());
            } else if (requests > 1) {
                ByteBuf all = context.alloc().directBuffer(requests * RequestEnds.ANSWER.length);
                for (int i = 0; i < requests; i++) all.writeBytes(RequestEnds.ANSWER);
                context.write(all, context.voidPromise());
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable gone) {
            context.close();
        }
    }
}
