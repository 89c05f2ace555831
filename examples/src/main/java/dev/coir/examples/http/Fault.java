package dev.coir.examples.http;

/** Why a request is not served. After any of these the connection is closed: what follows cannot be trusted. */
enum Fault {
    BAD_REQUEST(400, "Bad Request"),
    REQUEST_TIMEOUT(408, "Request Timeout"),
    CONTENT_TOO_LARGE(413, "Content Too Large"),
    URI_TOO_LONG(414, "URI Too Long"),
    EXPECTATION_FAILED(417, "Expectation Failed"),
    FIELDS_TOO_LARGE(431, "Request Header Fields Too Large"),
    NOT_IMPLEMENTED(501, "Not Implemented"),
    VERSION_NOT_SUPPORTED(505, "HTTP Version Not Supported");

    final int status;
    final String phrase;

    Fault(int status, String phrase) {
        this.status = status;
        this.phrase = phrase;
    }
}
