package dev.coir.internal.trace;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what it is told, in words. */
final class RecordingSink implements Sink {
    final List<String> told = new CopyOnWriteArrayList<>();

    @Override
    public void sliceBegan(Thread carrier, Object task) {
        told.add("begin " + task);
    }

    @Override
    public void sliceEnded(Thread carrier) {
        told.add("end");
    }

    @Override
    public void started(Object task) {
        told.add("start " + task);
    }

    @Override
    public void ended(Object fiber) {
        told.add("ended");
    }

    @Override
    public void waits(Object fiber, String reason) {
        told.add("waits " + reason);
    }

    @Override
    public void waited(Object fiber) {
        told.add("waited");
    }

    @Override
    public void unparked(Object fiber) {
        told.add("unparked");
    }

    @Override
    public void sleeps(Thread carrier, boolean polling) {
        told.add("sleeps");
    }

    @Override
    public void slept(Thread carrier) {
        told.add("slept");
    }

    @Override
    public void stole(Thread carrier, Thread victim, int count) {
        told.add("stole");
    }

    @Override
    public void handedOff(Thread from, Thread to) {
        told.add("handed off");
    }

    @Override
    public void askedToGiveWay(Thread carrier, Object task) {
        told.add("asked");
    }
}
