package dev.coir.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.coir.observe.Row.Bar;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How bars are laid out, and what is made of waits whose beginnings or ends are missing. */
class RowTest {
    private final Row row = new Row(new Scene(Scene.Stage.FIBERS, 1, null));

    private void bar(long from, long to, String name) {
        row.add(new Bar(from, to, "c", name, Map.of()));
    }

    private List<String> nested() {
        return row.nested().stream()
                .map(each -> each.name() + " " + each.from() + "-" + each.to()
                        + (each.notes().isEmpty() ? "" : " " + each.notes()))
                .toList();
    }

    @Test
    void outerBarsComeFirst() {
        bar(5, 6, "inner");
        bar(5, 10, "outer");
        bar(6, 10, "second");
        bar(10, 12, "next");
        assertEquals(List.of("outer 5-10", "inner 5-6", "second 6-10", "next 10-12"), nested());
    }

    @Test
    void whatSticksOutIsCut() {
        bar(0, 10, "a");
        bar(5, 15, "b");
        bar(12, 20, "c");
        assertEquals(List.of("a 0-10", "b 5-10 {cut=it lasted longer than what it began in}", "c 12-20"), nested());
    }

    @Test
    void waitsFollowEachOther() {
        var waits = new Waits();
        waits.began(1, "x");
        waits.ended(2);
        waits.began(3, "y");
        waits.ended(4);
        waits.into(row, 0, 9);
        assertEquals(List.of("waits: x 1-2", "waits: y 3-4"), nested());
    }

    @Test
    void aWaitInsideABlockingCallLiesInsideIt() {
        var waits = new Waits();
        waits.began(1, "a blocking call");
        waits.began(2, "x");
        waits.ended(3);
        waits.ended(4);
        waits.into(row, 0, 9);
        assertEquals(List.of("waits: a blocking call 1-4", "waits: x 2-3"), nested());
    }

    @Test
    void missingBeginningsAndEndsAreSaid() {
        var waits = new Waits();
        waits.ended(2);
        waits.began(3, "x");
        waits.began(5, "y");
        waits.into(row, 0, 9);
        assertEquals(
                List.of(
                        "waits 0-2 {beginning=not recorded}",
                        "waits: x 3-5 {end=not recorded}",
                        "waits: y 5-9 {end=after the trace}"),
                nested());
    }

    @Test
    void theFirstCauseSinceTheSliceBeforeCounts() {
        var arrows = new Arrows();
        arrows.slice(1, 10, 3);
        arrows.cause(1, 20, 5);
        arrows.cause(1, 30, 6);
        arrows.slice(1, 10, 8);
        arrows.slice(1, 10, 9);
        arrows.cause(2, 20, 1);
        assertEquals(List.of(new Arrows.Arrow(20, 5, 10, 8)), arrows.all());
    }
}
