package dev.coir.channel;

/** What a channel says to who wants to send or receive. */
enum Answer {
    /** It is sent. */
    SENT,
    /** Not now. */
    WAIT,
    /** Never again. */
    CLOSED
}
