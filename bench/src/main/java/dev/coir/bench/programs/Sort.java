package dev.coir.bench.programs;

/** Quicksort, with insertion sort for short ranges. */
public final class Sort {
    private static final int SHORT = 16;

    private Sort() {}

    /**
     * Sorts an array.
     *
     * @param a the array
     */
    public static void sort(int[] a) {
        sort(a, 0, a.length - 1);
    }

    private static void sort(int[] a, int low, int high) {
        if (high - low < SHORT) {
            insert(a, low, high);
            return;
        }
        int pivot = a[(low + high) >>> 1];
        int i = low;
        int j = high;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) {
                int swapped = a[i];
                a[i++] = a[j];
                a[j--] = swapped;
            }
        }
        sort(a, low, j);
        sort(a, i, high);
    }

    private static void insert(int[] a, int low, int high) {
        for (int i = low + 1; i <= high; i++) {
            int value = a[i];
            int j = i - 1;
            while (j >= low && a[j] > value) {
                a[j + 1] = a[j];
                j--;
            }
            a[j + 1] = value;
        }
    }
}
