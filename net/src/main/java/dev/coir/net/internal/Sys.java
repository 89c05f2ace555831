package dev.coir.net.internal;

import java.lang.foreign.MemorySegment;

/**
 * The system calls that sockets need, in one table that tests replace. Every call returns what the system returned, or minus
 * the error number. None waits, for all sockets are non-blocking; only {@link #epollWait} does when told so.
 *
 * <p>The calls of the hot path take a segment of four bytes in which the system's error number is left; it belongs to the
 * caller, who is alone in using it.
 */
public interface Sys {
    /**
     * A new socket, non-blocking and closed on exec.
     *
     * @param domain an AF constant
     * @param type a SOCK constant
     * @return the descriptor
     */
    int socket(int domain, int type);

    /**
     * Gives a socket its address.
     *
     * @param fd the descriptor
     * @param address a sockaddr
     * @param length its length
     * @return 0
     */
    int bind(int fd, MemorySegment address, int length);

    /**
     * Makes a socket listen.
     *
     * @param fd the descriptor
     * @param backlog how many may wait to be accepted
     * @return 0
     */
    int listen(int fd, int backlog);

    /**
     * Takes a connection; non-blocking and closed on exec.
     *
     * @param fd the descriptor
     * @param address gets the peer's sockaddr
     * @param length an int: its capacity, then its length
     * @return the new descriptor
     */
    int accept(int fd, MemorySegment address, MemorySegment length);

    /**
     * Begins to connect, or gives a datagram socket its peer.
     *
     * @param fd the descriptor
     * @param address a sockaddr
     * @param length its length
     * @return 0
     */
    int connect(int fd, MemorySegment address, int length);

    /**
     * Ends one or both directions.
     *
     * @param fd the descriptor
     * @param how a SHUT constant
     * @return 0
     */
    int shutdown(int fd, int how);

    /**
     * Closes a descriptor.
     *
     * @param fd the descriptor
     * @return 0
     */
    int close(int fd);

    /**
     * Its own address.
     *
     * @param fd the descriptor
     * @param address gets the sockaddr
     * @param length an int: its capacity, then its length
     * @return 0
     */
    int getsockname(int fd, MemorySegment address, MemorySegment length);

    /**
     * Its peer's address.
     *
     * @param fd the descriptor
     * @param address gets the sockaddr
     * @param length an int: its capacity, then its length
     * @return 0
     */
    int getpeername(int fd, MemorySegment address, MemorySegment length);

    /**
     * Asks for an option.
     *
     * @param fd the descriptor
     * @param level of the option
     * @param name of the option
     * @param value gets it
     * @param length an int: the capacity, then the length
     * @return 0
     */
    int getsockopt(int fd, int level, int name, MemorySegment value, MemorySegment length);

    /**
     * Sets an option.
     *
     * @param fd the descriptor
     * @param level of the option
     * @param name of the option
     * @param value the value
     * @param length its length
     * @return 0
     */
    int setsockopt(int fd, int level, int name, MemorySegment value, int length);

    /**
     * Receives bytes.
     *
     * @param error gets the error number
     * @param fd the descriptor
     * @param buffer where to, on or off the heap
     * @param length how many at most
     * @return how many; 0 at the end
     */
    long recv(MemorySegment error, int fd, MemorySegment buffer, long length);

    /**
     * Sends bytes, without a signal when the connection is gone.
     *
     * @param error gets the error number
     * @param fd the descriptor
     * @param buffer where from, on or off the heap
     * @param length how many at most
     * @return how many
     */
    long send(MemorySegment error, int fd, MemorySegment buffer, long length);

    /**
     * Sends what a msghdr describes, without a signal when the connection is gone.
     *
     * @param error gets the error number
     * @param fd the descriptor
     * @param message the msghdr
     * @return how many bytes
     */
    long sendmsg(MemorySegment error, int fd, MemorySegment message);

    /**
     * Receives a datagram.
     *
     * @param error gets the error number
     * @param fd the descriptor
     * @param buffer where to, on or off the heap
     * @param length how many bytes at most
     * @param address gets the sender's sockaddr
     * @param addressLength an int: its capacity, then its length
     * @return how many bytes the datagram has, also when it was longer than the buffer
     */
    long recvfrom(
            MemorySegment error,
            int fd,
            MemorySegment buffer,
            long length,
            MemorySegment address,
            MemorySegment addressLength);

    /**
     * Sends a datagram.
     *
     * @param error gets the error number
     * @param fd the descriptor
     * @param buffer where from, on or off the heap
     * @param length how many bytes
     * @param address a sockaddr, or NULL for the peer of a connected socket
     * @param addressLength its length
     * @return how many bytes
     */
    long sendto(
            MemorySegment error, int fd, MemorySegment buffer, long length, MemorySegment address, int addressLength);

    /**
     * Sends from a file. May wait for the disk.
     *
     * @param to a socket
     * @param from a file
     * @param offset a long: where from, then where it ended
     * @param count how many bytes at most
     * @return how many; 0 at the file's end
     */
    long sendfile(int to, int from, MemorySegment offset, long count);

    /**
     * Opens a file; closed on exec.
     *
     * @param path a C string off the heap
     * @param flags O constants
     * @param mode the rights of a new file
     * @return the descriptor
     */
    int open(MemorySegment path, int flags, int mode);

    /**
     * Reads from a file. May wait for the disk.
     *
     * @param fd the descriptor
     * @param buffer where to, off the heap
     * @param length how many bytes at most
     * @param offset where from
     * @return how many; 0 at the end
     */
    long pread(int fd, MemorySegment buffer, long length, long offset);

    /**
     * Reads from a file what is in memory already.
     *
     * @param fd the descriptor
     * @param buffer where to, off the heap
     * @param length how many bytes at most
     * @param offset where from
     * @return how many; 0 at the end; -EAGAIN when it would have to wait
     */
    long preadNow(int fd, MemorySegment buffer, long length, long offset);

    /**
     * Writes to a file. May wait for the disk.
     *
     * @param fd the descriptor
     * @param buffer where from, off the heap
     * @param length how many bytes at most
     * @param offset where to
     * @return how many
     */
    long pwrite(int fd, MemorySegment buffer, long length, long offset);

    /**
     * Waits until what was written is on the disk.
     *
     * @param fd the descriptor
     * @param metadata whether the file's times and the like must be as well
     * @return 0
     */
    int fsync(int fd, boolean metadata);

    /**
     * Changes a file's length.
     *
     * @param fd the descriptor
     * @param length the new length
     * @return 0
     */
    int ftruncate(int fd, long length);

    /**
     * How long a file is.
     *
     * @param fd the descriptor
     * @return bytes
     */
    long size(int fd);

    /**
     * A new epoll instance, closed on exec.
     *
     * @return the descriptor
     */
    int epollCreate();

    /**
     * Changes what an epoll instance watches.
     *
     * @param epoll the instance
     * @param operation an EPOLL_CTL constant
     * @param fd the descriptor to watch
     * @param event an epoll_event
     * @return 0
     */
    int epollCtl(int epoll, int operation, int fd, MemorySegment event);

    /**
     * Takes events.
     *
     * @param epoll the instance
     * @param events gets them
     * @param max how many at most
     * @param nanos how long to wait; 0: not at all; Long.MAX_VALUE: for ever
     * @return how many
     */
    int epollWait(int epoll, MemorySegment events, int max, long nanos);

    /**
     * A new eventfd, non-blocking and closed on exec.
     *
     * @return the descriptor
     */
    int eventfd();

    /**
     * Adds one to an eventfd.
     *
     * @param fd the descriptor
     * @return 0
     */
    int signalEventfd(int fd);

    /**
     * A new io_uring instance, closed on exec.
     *
     * @param entries how many requests may be put up at a time
     * @param parameters a struct io_uring_params, zero but for what is asked for; gets what was granted
     * @return the descriptor
     */
    int uringSetup(int entries, MemorySegment parameters);

    /**
     * Hands requests of an io_uring instance over to the system, or waits for some to be done.
     *
     * @param fd the instance
     * @param submit how many to hand over
     * @param complete how many must be done before it returns; 0: it does not wait
     * @param flags IORING_ENTER constants
     * @return how many were handed over
     */
    int uringEnter(int fd, int submit, int complete, int flags);

    /**
     * Maps memory that is shared with the system, to be read and written.
     *
     * @param fd the descriptor
     * @param length how many bytes
     * @param offset which of its memory
     * @return the address
     */
    long map(int fd, long length, long offset);

    /**
     * Gives up what was mapped.
     *
     * @param address where it begins
     * @param length how many bytes
     * @return 0
     */
    int unmap(long address, long length);
}
